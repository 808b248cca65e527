@testable import PromoCore
import PromoTestSupport
import PromoWire
import Testing

struct OutputQueueTests {
    /// Everything in the queue, taken by a reader that is full after `piece` bytes.
    private func all(_ queue: inout OutputQueue, piece: Int = .max) -> String {
        var bytes: [UInt8] = []
        while !queue.isEmpty {
            let before = bytes.count
            var room = piece
            queue.drain { part in
                let taken = part.extracting(first: room)
                bytes.append(copying: taken)
                room -= taken.count
                return taken.count
            }
            if bytes.count == before { return "stuck" }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func apps(_ count: Int) -> [PromoApp] {
        (0..<count).map { number in
            PromoApp(
                id: "app-\(number)", name: OutsideText(String(repeating: "n", count: 100)), appStoreID: "\(number)",
                iconURL: "https://a.example/\(number)", category: LocalizedText(en: "c"),
                tagline: LocalizedText(en: "t"), storeURL: "https://s.example")
        }
    }

    @Test func bytesAreTakenInOrderInPiecesOfAnySize() {
        for piece in 1...40 {
            var queue = OutputQueue()
            queue.json.append("one ")
            queue.append(SharedBytes(Array("two ".utf8)))
            var other = OutputQueue()
            other.json.value("three")
            queue.append(&other)
            #expect(queue.size == 15 && other.isEmpty)
            queue.drain { _ in 0 }
            #expect(all(&queue, piece: piece) == "one two \"three\"" && queue.isEmpty)
        }
    }

    @Test(arguments: [777, 65_536, 100_000]) func scatteredRowsAreReferencedTooAndComeWhole(piece: Int) throws {
        let apps = apps(2000)
        let rows = AppRows(apps).list(in: .one(.en))
        let ranges = stride(from: 0, to: 1999, by: 2).map { $0..<$0 + 1 } + [1999..<2000]
        var queue = OutputQueue()
        queue.array(of: rows, ranges)
        // They are referenced, and not copied.
        #expect(queue.json.bytes.count == 1)
        let wanted =
            try "["
            + ranges.flatMap { Array($0) }.map { try apps[$0].row(in: .one(.en), at: $0) }.joined(separator: ",") + "]"
        #expect(queue.size == wanted.utf8.count)
        #expect(all(&queue, piece: piece) == wanted)
    }
}
