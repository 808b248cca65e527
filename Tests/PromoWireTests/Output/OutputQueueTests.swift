import PromoTestSupport
import PromoWire
import Testing

struct OutputQueueTests {
    /// Everything in the queue, taken by a reader that is full after `piece` bytes.
    private func all(_ queue: inout OutputQueue, piece: Int = .max) -> String {
        var bytes: [UInt8] = []
        while !queue.isEmpty {
            let (before, waiting) = (bytes.count, queue.count)
            var room = piece
            queue.drain { part in
                let taken = part.extracting(first: room)
                bytes.append(copying: taken)
                room -= taken.count
                return taken.count
            }
            if bytes.count == before || queue.count != waiting - (bytes.count - before) { return "wrong count" }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func apps(_ count: Int, nameLength: Int = 100) -> [ListResult.App] {
        (0..<count).map { number in
            ListResult.App(
                id: "app-\(number)", name: OutsideText(String(repeating: "n", count: nameLength)),
                appStoreID: "\(number)",
                iconURL: "https://a.example/\(number)", category: "c", tagline: [.en: "t"],
                storeURL: "https://s.example")
        }
    }

    @Test func anEmptyQueueHasNothingToHandOver() {
        var queue = OutputQueue()
        queue.append([])
        var writer = JSONWriter()
        queue.append(&writer)
        #expect(queue.isEmpty)
        queue.drain { _ in
            Issue.record("something came")
            return 0
        }
    }

    @Test func bytesAreTakenInOrderInPiecesOfAnySize() {
        for piece in 1...40 {
            var queue = OutputQueue()
            queue.append(Array("one ".utf8))
            queue.append(Array("two ".utf8))
            var writer = JSONWriter()
            writer.value("three")
            queue.append(&writer)
            #expect(queue.count == 15)
            #expect(all(&queue, piece: piece) == "one two \"three\"")
        }
    }

    @Test func aReaderThatTakesNothingLosesNothing() {
        var queue = OutputQueue()
        queue.append(Array("one".utf8))
        for refused in [0, -1] { queue.drain { _ in refused } }
        #expect(queue.count == 3)
        #expect(all(&queue) == "one")
    }

    @Test func manyRowsAreReferencedAndFewAreCopied() {
        let rows = AppRows(apps(100))
        var writer = JSONWriter()
        writer.array(of: SharedRows(of: rows, [0..<2], in: .all))
        #expect(writer.bytes.count == writer.count)
        let mark = writer.bytes.count
        writer.array(of: SharedRows(of: rows, [0..<100], in: .all))
        #expect(writer.bytes.count == mark + 3)
        #expect(writer.count > 10_000)
    }

    @Test(arguments: [TaglineLanguage.all, .one(.ko)])
    func insertedRowsAreWhereTheyWereWritten(language: TaglineLanguage) {
        let rows = AppRows(apps(3, nameLength: 5000))
        var (shared, copied) = (JSONWriter(), JSONWriter())
        for _ in 0..<3 {
            shared.object { writer in
                writer.name("apps")
                writer.array(of: SharedRows(of: rows, [0..<1, 2..<3], in: language))
                writer.member("n", 1)
            }
            copied.object { writer in
                writer.name("apps")
                writer.array { writer in
                    for app in [apps(3, nameLength: 5000)[0], apps(3, nameLength: 5000)[2]] {
                        writer.plain(app, in: language)
                    }
                }
                writer.member("n", 1)
            }
        }
        #expect(shared.text == copied.bytes)
        var queue = OutputQueue()
        queue.append(&shared)
        #expect(all(&queue, piece: 777) == String(decoding: copied.bytes, as: UTF8.self))
    }
}
