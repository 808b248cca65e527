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

    private func apps(_ count: Int, nameLength: Int = 100) -> [PromoApp] {
        (0..<count).map { number in
            PromoApp(
                id: "app-\(number)", name: OutsideText(String(repeating: "n", count: nameLength)),
                appStoreID: "\(number)", iconURL: "https://a.example/\(number)", category: LocalizedText(en: "c"),
                tagline: LocalizedText(en: "t"), storeURL: "https://s.example")
        }
    }

    @Test func anEmptyQueueHasNothingToHandOver() {
        var queue = OutputQueue()
        var other = OutputQueue()
        queue.append(&other)
        queue.append(SharedBytes([]))
        #expect(queue.isEmpty)
        queue.drain { _ in
            Issue.record("something came")
            return 0
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
            #expect(all(&queue, piece: piece) == "one two \"three\"")
        }
    }

    @Test func aReaderThatTakesNothingLosesNothing() {
        var queue = OutputQueue()
        queue.json.append("one")
        for refused in [0, -1] { queue.drain { _ in refused } }
        #expect(queue.size == 3)
        #expect(all(&queue) == "one")
    }

    @Test func manyRowsAreReferencedAndFewAreCopied() {
        let rows = AppRows(apps(100)).list(in: .all)
        var queue = OutputQueue()
        queue.array(of: rows, [0..<2])
        #expect(queue.json.bytes.count == queue.size)
        queue.array(of: rows, [0..<100])
        #expect(queue.json.bytes.count == 1)
        #expect(queue.size > 10_000)
    }

    @Test(arguments: [777, 65_536, 100_000]) func scatteredRowsAreReferencedTooAndComeWhole(piece: Int) {
        let apps = apps(2000)
        let rows = AppRows(apps).list(in: .one(.en))
        let ranges = stride(from: 0, to: 1999, by: 2).map { $0..<$0 + 1 } + [1999..<2000]
        var (queue, wanted) = (OutputQueue(), JSONWriter())
        queue.array(of: rows, ranges)
        #expect(queue.json.bytes.count == 1)
        wanted.array { writer in
            for position in ranges.flatMap({ Array($0) }) { writer.plain(apps[position], in: .one(.en)) }
        }
        #expect(queue.size == wanted.bytes.count)
        #expect(all(&queue, piece: piece) == String(decoding: wanted.bytes, as: UTF8.self))
    }

    @Test(arguments: [TaglineLanguage.all, .one(.ko)])
    func sharedRowsAndPicturesAreWhereTheyWereWritten(language: TaglineLanguage) {
        let rows = AppRows(apps(3, nameLength: 10_000)).list(in: language)
        let picture = SharedBytes(Array(repeating: UInt8(ascii: "p"), count: 10_000))
        var (shared, copied) = (OutputQueue(), JSONWriter())
        for _ in 0..<3 {
            shared.array(of: rows, [0..<1, 2..<3])
            shared.json.append("\n\"")
            shared.append(picture)
            shared.json.append("\"\n")
            copied.array { writer in
                for app in [apps(3, nameLength: 10_000)[0], apps(3, nameLength: 10_000)[2]] {
                    writer.plain(app, in: language)
                }
            }
            copied.append("\n\"" + String(repeating: "p", count: 10_000) + "\"\n")
        }
        #expect(shared.text == copied.bytes)
        var queue = OutputQueue()
        queue.append(&shared)
        #expect(shared.isEmpty)
        #expect(all(&queue, piece: 777) == String(decoding: copied.bytes, as: UTF8.self))
    }
}
