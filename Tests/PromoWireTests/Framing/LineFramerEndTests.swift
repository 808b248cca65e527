import PromoWire
import Testing

/// The end of a stream.
struct LineFramerEndTests {
    @Test func bytesWithoutLFAreTheLastLine() {
        var framer = LineFramer(maximumLength: 64)
        #expect(framer.take(#"{"method":"status"}"#) == [])
        #expect(framer.finish() == .line(#"{"method":"status"}"#))
    }

    @Test func aLastLineOfExactlyTheLimitIsALine() {
        var framer = LineFramer(maximumLength: 4)
        #expect(framer.take("1234") == [])
        #expect(framer.finish() == .line("1234"))
    }

    @Test func theLastLineIsTakenOnlyOnce() {
        var framer = LineFramer(maximumLength: 64)
        #expect(framer.take("one\ntwo") == [.line("one")])
        #expect(framer.finish() == .line("two"))
        #expect(framer.finish() == nil)
        #expect(framer.next() == nil)
    }

    @Test func afterAnLFThereIsNoLastLine() {
        var framer = LineFramer(maximumLength: 64)
        #expect(framer.take("one\n") == [.line("one")])
        #expect(framer.finish() == nil)
    }

    @Test func anEmptyStreamHasNoLine() {
        var framer = LineFramer(maximumLength: 64)
        #expect(framer.next() == nil)
        #expect(framer.finish() == nil)
    }

    @Test func aCarriageReturnDoesNotEndALine() {
        var framer = LineFramer(maximumLength: 64)
        #expect(framer.take("one\rtwo\r") == [])
        #expect(framer.finish() == .line("one\rtwo\r"))
    }

    @Test func aFramerIsEmptyWhileItHoldsNoBytes() {
        var framer = LineFramer(maximumLength: 64)
        #expect(framer.isEmpty)
        framer.append("a\nb".utf8)
        #expect(!framer.isEmpty)
        #expect(framer.next() == .line("a"))
        #expect(!framer.isEmpty)
        #expect(framer.finish() == .line("b"))
        #expect(framer.isEmpty)
    }

    @Test func aFramerIsEmptyOnceItsLinesAreTaken() {
        var framer = LineFramer(maximumLength: 64)
        #expect(framer.take("a\nb\n") == [.line("a"), .line("b")])
        #expect(framer.isEmpty)
    }
}
