import PromoWire
import Testing

/// A line over the limit is not taken, nor is anything after it.
struct LineFramerLimitTests {
    private static let limit = 10
    private static let exact = String(repeating: "x", count: limit)

    @Test func aLineOfExactlyTheLimitIsALine() {
        var framer = LineFramer(maximumLength: Self.limit)
        #expect(framer.take(Self.exact + "\n") == [.line(Self.exact)])
    }

    @Test func aLineOneOverTheLimitIsTooLong() {
        var framer = LineFramer(maximumLength: Self.limit)
        #expect(framer.take(Self.exact + "x\n") == [.tooLong])
    }

    @Test func aCarriageReturnCountsAndALineFeedDoesNot() {
        var framer = LineFramer(maximumLength: Self.limit)
        #expect(framer.take(Self.exact + "\n" + Self.exact + "\r\n") == [.line(Self.exact), .tooLong])
    }

    @Test func bytesAreCountedAndNotCharacters() {
        var framer = LineFramer(maximumLength: Self.limit)
        #expect(framer.take("\u{D55C}\u{D55C}\u{D55C}a\n") == [.line("\u{D55C}\u{D55C}\u{D55C}a")])
        #expect(framer.take("\u{D55C}\u{D55C}\u{D55C}ab\n") == [.tooLong])
    }

    @Test func anUnfinishedLineOfExactlyTheLimitIsNotTooLong() {
        var framer = LineFramer(maximumLength: Self.limit)
        #expect(framer.take(Self.exact) == [])
        #expect(framer.take("\n") == [.line(Self.exact)])
    }

    @Test func anUnfinishedLineIsTooLongWithTheFirstByteOverTheLimit() {
        var framer = LineFramer(maximumLength: Self.limit)
        #expect(framer.take(Self.exact) == [])
        #expect(framer.take("x") == [.tooLong])
    }

    @Test func aLineOverTheLimitIsReportedOnce() {
        var framer = LineFramer(maximumLength: Self.limit)
        #expect(framer.take(Self.exact + "x") == [.tooLong])
        #expect(framer.next() == nil)
        #expect(framer.take("more\n") == [])
        #expect(framer.finish() == nil)
    }

    @Test func linesBeforeOneThatIsTooLongComeFirst() {
        var framer = LineFramer(maximumLength: Self.limit)
        #expect(framer.take("one\ntwo\n" + Self.exact + "x\n") == [.line("one"), .line("two"), .tooLong])
    }

    @Test(arguments: 0...32)
    func nothingFollowsALineThatIsTooLongWhereverTheStreamIsCut(cut: Int) {
        let stream = Array(("one\n" + Self.exact + Self.exact + "\ntwo\nlast").utf8)
        #expect(stream.count == 33)
        let events = LineFramer.events(of: [stream[..<cut], stream[cut...]], maximumLength: Self.limit)
        #expect(events == [.line("one"), .tooLong])
    }

    @Test func nothingIsHeldAfterALineThatIsTooLong() {
        var framer = LineFramer(maximumLength: Self.limit)
        _ = framer.take(Self.exact + "x")
        #expect(framer.isEmpty)
        framer.append("more".utf8)
        #expect(framer.isEmpty)
    }

    @Test func aFramerWithALimitOfZeroTakesOnlyBlankLines() {
        var framer = LineFramer(maximumLength: 0)
        #expect(framer.take("\n\nx") == [.line(""), .line(""), .tooLong])
    }

    @Test func theLimitOfTheProtocolIs65536Bytes() {
        #expect(Message.maximumLength == 65_536)
        let exact = Array(repeating: UInt8(ascii: " "), count: 65_536)
        var framer = LineFramer(maximumLength: Message.maximumLength)
        #expect(framer.take(exact + [0x0A]) == [.line(exact)])
        #expect(framer.take(exact + [0x20, 0x0A]) == [.tooLong])
    }
}
