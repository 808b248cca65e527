import Foundation
import Glibc
import PromoSystem
import Testing

/// Sockets at paths.
struct UnixAddressTests {
    @Test func aListenerIsFoundWithoutItsFileUntilItIsClosed() {
        let path = FileManager.default.temporaryDirectory.path + "/promod-\(UUID().uuidString).sock"
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #expect(UnixAddress.bind(descriptor, to: path) == 0)
        #expect(!UnixAddress.hasListener(at: path))
        listen(descriptor, 1)
        unlink(path)
        #expect(UnixAddress.hasListener(at: path))
        #expect(!UnixAddress.hasListener(at: path + "x"))
        close(descriptor)
        #expect(!UnixAddress.hasListener(at: path))
    }
}
