@testable import PromoDaemon
import Testing

/// What the kernel writes about directories.
struct DirectoryEventTests {
    private func bytes(_ watch: Int32, _ name: String, padding: Int) -> [UInt8] {
        let name = Array(name.utf8) + [UInt8](repeating: 0, count: padding)
        let head = [UInt32(bitPattern: watch), 0x100, 0, UInt32(name.count)]
        return head.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } } + name
    }

    @Test func theEventsOfOneReadAreTakenApart() {
        let read = bytes(1, "acme.toml", padding: 7) + bytes(2, "", padding: 0) + bytes(-1, "", padding: 0)
        let expected = [
            DirectoryEvent(watch: 1, name: Array("acme.toml".utf8)), DirectoryEvent(watch: 2, name: []),
            DirectoryEvent(watch: -1, name: []),
        ]
        #expect(DirectoryEvent.events(in: read[...]) == expected)
        #expect(DirectoryEvent.events(in: ([9] + read).dropFirst()) == expected)
    }

    @Test func whatIsCutOffIsNoEvent() {
        for count in 0..<16 { #expect(DirectoryEvent.events(in: bytes(1, "", padding: 0).prefix(count)).isEmpty) }
    }
}
