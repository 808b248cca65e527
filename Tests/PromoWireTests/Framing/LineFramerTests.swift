import PromoTestSupport
import PromoWire
import Testing

/// Lines of a stream, up to the first that is too long. The fuzzer's target `framer` cuts other streams.
struct LineFramerTests {
    /// The events of a whole stream by a model that is simple enough to be obviously right.
    private static func model(_ stream: [UInt8], _ limit: Int) -> [LineFramer.Event] {
        var lines = stream.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        let fitting = lines.prefix { $0.count <= limit }
        return fitting.map(LineFramer.Event.line) + (fitting.count < lines.count ? [.tooLong] : [])
    }

    @Test(arguments: 0..<64 as Range<UInt64>)
    func randomStreamsInRandomPiecesGiveTheLinesOfTheModel(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<32 {
            let stream: [UInt8] = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
                Int.random(in: 0..<8, using: &generator) == 0 ? 0x0A : UInt8.random(in: 0...255, using: &generator)
            }
            var (framer, events, rest) = (LineFramer(maximumLength: 12), [LineFramer.Event](), stream[...])
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 0...20, using: &generator))
                rest = rest.dropFirst(piece.count)
                events += framer.take(piece)
            }
            if let last = framer.finish() { events.append(last) }
            #expect(events == Self.model(stream, 12))
            #expect(framer.isEmpty && framer.finish() == nil)
        }
    }

    @Test func aLineOfTheProtocolHasAtMost65536Bytes() {
        let exact = Array(repeating: UInt8(ascii: " "), count: Call.maximumLength)
        #expect(exact.count == 65_536)
        var framer = LineFramer(maximumLength: Call.maximumLength)
        #expect(framer.take(exact) == [] && !framer.isEmpty)
        #expect(framer.take([0x0A]) == [.line(exact)] && framer.isEmpty)
        // With the first byte over the limit, before the line's end, and once.
        #expect(framer.take(exact) == [] && framer.take([0x20]) == [.tooLong])
        #expect(framer.take("more\n".utf8) == [] && framer.isEmpty && framer.finish() == nil)
    }

    @Test func oneLineIsTakenAtATimeAndALongOneDoesNotAffectTheNext() {
        var framer = LineFramer(maximumLength: 20_000)
        let long = String(repeating: "x", count: 20_000)
        #expect(framer.take("one\r\n\n\(long)\nla".utf8) == ["one\r", "", long].map { .line(Array($0.utf8)) })
        framer.append(Array("st\ntwo\n".utf8).span)
        #expect(framer.next() == .line(Array("last".utf8)) && !framer.isEmpty)
        #expect(framer.next() == .line(Array("two".utf8)) && framer.next() == nil)
    }
}
