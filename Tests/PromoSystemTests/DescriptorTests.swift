import Foundation
import PromoSystem
import Testing

/// Writing to descriptors that other programs share.
struct DescriptorTests {
    @Test func aWriteToANonBlockingPipeWaitsForItsReader() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        #expect(fcntl(writer, F_SETFL, O_NONBLOCK) == 0)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            #expect(Descriptor.readToEnd(of: reader, keeping: .max) == bytes)
            close(reader)
            isDone.signal()
        }
        #expect(Descriptor.writeAll(bytes, to: writer))
        close(writer)
        isDone.wait()
    }
}
