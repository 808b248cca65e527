@testable import CrossPromoKit
import Foundation
import Glibc
import PromoTestSupport
import PromoSystem
import Testing

/// A wait for a daemon that is not running ends when its socket is made, and not for other files.
@Suite(.timeLimit(.minutes(5))) struct SocketWatchTests {
    private static func wait(
        for path: String, until deadline: Deadline = .never, _ change: @escaping @Sendable () throws -> Void
    ) throws -> Bool {
        var watch = SocketWatch(path)
        let changed = Thread { try? change() }
        changed.start()
        return watch.wait(until: deadline, Interruption()).hasChanged
    }

    @Test func aDirectoryOnItsWayEndsTheWaitAndSoDoesTheFileAndAnotherInItsPlace() throws {
        let scratch = try ScratchDirectory()
        let path = scratch("run/promod/promod.sock")
        #expect(try Self.wait(for: path) { mkdir(scratch("run"), 0o700) })
        #expect(try Self.wait(for: path) { try scratch.write("run/promod/promod.sock", "") })
        #expect(
            try Self.wait(for: path) {
                unlink(path)
                try scratch.write("run/promod/promod.sock", "")
            })
    }

    @Test func otherFilesDoNotEndIt() throws {
        let scratch = try ScratchDirectory()
        #expect(
            try !Self.wait(for: scratch("promod.sock"), until: .after(.milliseconds(200))) {
                for number in 0..<100 { try scratch.write("other\(number)", "") }
            })
    }
}
