import PromoTestSupport
import PromoWire
import Testing

struct OutputQueueTests {
    /// A buffer of rows with the given lengths in bytes, without the comma before each.
    private func rows(_ lengths: [Int]) -> SharedRows.Buffer {
        var (bytes, starts): ([UInt8], [Int]) = ([], [0])
        for (number, length) in lengths.enumerated() {
            bytes += [UInt8(ascii: ",")] + Array(repeating: UInt8(ascii: "0") + UInt8(number % 10), count: length)
            starts.append(bytes.count)
        }
        return SharedRows.Buffer(bytes: bytes, starts: starts)
    }

    private func all(_ queue: inout OutputQueue, piece: Int = .max) -> String {
        var bytes: [UInt8] = []
        while !queue.isEmpty {
            let before = bytes.count
            queue.take(piece) { bytes += $0 }
            if bytes.count == before { return "nothing came" }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func anEmptyQueueHasNothingToTake() {
        var queue = OutputQueue()
        queue.append([])
        var writer = JSONWriter()
        queue.append(&writer)
        #expect(queue.isEmpty)
        queue.take(.max) { _ in Issue.record("something came") }
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

    @Test func aPieceIsNeverLargerThanAskedFor() {
        var queue = OutputQueue()
        var writer = JSONWriter()
        writer.array(of: SharedRows(of: rows([3000, 3000, 3000]), [0..<1, 2..<3]))
        let whole = writer.count
        queue.append(&writer)
        var taken = 0
        while !queue.isEmpty {
            var piece = 0
            queue.take(1000) { piece += $0.count }
            #expect(piece == 1000 || queue.isEmpty)
            taken += piece
            #expect(queue.count == whole - taken)
        }
    }

    @Test func manyRowsAreReferencedAndFewAreCopied() {
        let buffer = rows(Array(repeating: 100, count: 100))
        var writer = JSONWriter()
        writer.array(of: SharedRows(of: buffer, [0..<2]))
        #expect(writer.bytes.count == writer.count)
        let mark = writer.bytes.count
        writer.array(of: SharedRows(of: buffer, [0..<100]))
        #expect(writer.bytes.count == mark + 3)
        #expect(writer.count == mark + 3 + 100 * 101 - 1)
    }

    @Test func insertedRowsAreWhereTheyWereWritten() {
        let buffer = rows([5000, 10, 5000])
        var (shared, copied) = (JSONWriter(), JSONWriter())
        for _ in 0..<3 {
            shared.object { writer in
                writer.name("apps")
                writer.array(of: SharedRows(of: buffer, [0..<1, 2..<3]))
                writer.member("n", 1)
            }
            copied.object { writer in
                writer.name("apps")
                writer.array { writer in
                    writer.append(String(repeating: "0", count: 5000))
                    writer.append("," + String(repeating: "2", count: 5000))
                }
                writer.member("n", 1)
            }
        }
        #expect(shared.text == copied.bytes)
        #expect(shared.text == copied.text)
    }

    @Test func aReplyThatIsTakenBackTakesItsRowsWithIt() {
        let buffer = rows([5000])
        var writer = JSONWriter()
        writer.array(of: SharedRows(of: buffer, [0..<1]))
        let (text, mark) = (writer.text, writer.mark)
        writer.append(",")
        writer.array(of: SharedRows(of: buffer, [0..<1]))
        writer.remove(since: mark)
        #expect(writer.text == text)
        #expect(writer.count == text.count)
    }

    @Test(arguments: 0..<50)
    func rowsAreTheSameForAnyRangesAndLimit(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let lengths = (0..<Int.random(in: 1...30, using: &generator)).map { _ in
            Int.random(in: 0...300, using: &generator)
        }
        let buffer = rows(lengths)
        var ranges: [Range<Int>] = []
        var position = 0
        while true {
            position += Int.random(in: 0...3, using: &generator)
            let end = position + Int.random(in: 1...4, using: &generator)
            guard end <= lengths.count else { break }
            ranges.append(position..<end)
            position = end
        }
        let limit = Bool.random(using: &generator) ? Int.random(in: 1...35, using: &generator) : nil
        let wanted = ranges.flatMap { Array($0) }.prefix(limit ?? .max).map { number in
            String(repeating: Character(UnicodeScalar(UInt8(48 + number % 10))), count: lengths[number])
        }.joined(separator: ",")
        var writer = JSONWriter()
        writer.array(of: SharedRows(of: buffer, ranges, limit: limit))
        #expect(String(decoding: writer.text, as: UTF8.self) == "[\(wanted)]")
    }
}
