import PromoWire
import Testing

/// However a stream is cut into pieces, its lines are the same.
struct LineFramerSplitTests {
    private static let stream = Array("first\r\n\n{\"a\":\"\u{D55C}\u{AE00}\"}\nexactly ten\n\r\nlast".utf8)
    private static let lines: [LineFramer.Event] = [
        .line("first\r"), .line(""), .line("{\"a\":\"\u{D55C}\u{AE00}\"}"), .line("exactly ten"), .line("\r"),
        .line("last"),
    ]

    @Test func aStreamInOnePieceIsCutAtEachLF() {
        #expect(LineFramer.events(of: [Self.stream], maximumLength: 64) == Self.lines)
    }

    @Test(arguments: 0...stream.count)
    func oneCutAnywhereChangesNothing(cut: Int) {
        let chunks = [Self.stream[..<cut], Self.stream[cut...]]
        #expect(LineFramer.events(of: chunks, maximumLength: 64) == Self.lines)
    }

    @Test(arguments: 0...stream.count)
    func twoCutsAnywhereChangeNothing(first: Int) {
        for second in first...Self.stream.count {
            let chunks = [Self.stream[..<first], Self.stream[first..<second], Self.stream[second...]]
            #expect(LineFramer.events(of: chunks, maximumLength: 64) == Self.lines)
        }
    }

    @Test(arguments: 1...stream.count)
    func piecesOfAnySizeChangeNothing(size: Int) {
        let chunks = stride(from: 0, to: Self.stream.count, by: size).map { start in
            Self.stream[start..<min(start + size, Self.stream.count)]
        }
        #expect(LineFramer.events(of: chunks, maximumLength: 64) == Self.lines)
    }

    @Test func emptyPiecesChangeNothing() {
        let chunks = Self.stream.flatMap { [[$0], []] }
        #expect(LineFramer.events(of: chunks, maximumLength: 64) == Self.lines)
    }

    @Test(arguments: [0, 1, 4095, 4096, 4097, 20_000, 20_001, 20_002])
    func aLongLineDoesNotAffectTheNext(cut: Int) {
        let long = String(repeating: "x", count: 20_000)
        let stream = Array("one\n\(long)\ntwo\n\(long)\nlast".utf8)
        let events = LineFramer.events(of: [stream[..<cut], stream[cut...]], maximumLength: 20_000)
        #expect(events == [.line("one"), .line(long), .line("two"), .line(long), .line("last")])
        var framer = LineFramer(maximumLength: 20_000)
        #expect(framer.take(long + "\n") == [.line(long)])
        #expect(framer.isEmpty)
        #expect(framer.take("two\nla") == [.line("two")])
        #expect(framer.finish() == .line("la"))
    }

    @Test func linesThatWereNotTakenAreKept() {
        var framer = LineFramer(maximumLength: 8)
        framer.append("one\ntw".utf8)
        framer.append("o\nthree".utf8)
        #expect(framer.drain() == [.line("one"), .line("two")])
        #expect(framer.take("\n") == [.line("three")])
    }

    @Test func oneLineIsTakenAtATime() {
        var framer = LineFramer(maximumLength: 8)
        framer.append("one\ntwo\n".utf8)
        #expect(framer.next() == .line("one"))
        framer.append("three\n".utf8)
        #expect(framer.next() == .line("two"))
        #expect(framer.next() == .line("three"))
        #expect(framer.next() == nil)
    }
}
