import PromoTestSupport
import PromoWire
import Testing

/// Lines of a stream, up to the first that is too long. The fuzzer's target `framer` cuts other streams.
struct LineFramerTests {
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
