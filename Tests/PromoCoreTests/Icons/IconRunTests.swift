import PromoCore
import PromoWire
import Testing

/// The order in which a run asks for pictures, and which hosts it asks no more.
struct IconRunTests {
    private func all(_ run: inout IconRun) -> [String] {
        var texts: [String] = []
        while let next = run.next() { texts.append(next.text) }
        return texts
    }

    private func fail(_ run: inout IconRun, _ code: ProblemCode) throws {
        let next = run.next()
        let url = try #require(next?.url)
        run.failed(url, Failure(code, "No."))
    }

    @Test func addressesAreAskedInTheirOrder() {
        var run = IconRun(["https://a.example/1", "https://b.example/2"])
        #expect(all(&run) == ["https://a.example/1", "https://b.example/2"])
        #expect(run.failed == nil)
        #expect(run.skipped.isEmpty)
    }

    private static let unreachable: [ProblemCode] = [
        .dns, .connect, .tls, .untrusted, .timeout, .proxy, .unavailable,
    ]

    @Test(arguments: unreachable)
    func aHostThatFailsTwiceInARowIsAskedNoMore(code: ProblemCode) throws {
        let addresses = (1...4).map { "https://a.example/\($0)" } + ["https://a.example:444/5", "https://b.example/6"]
        var run = IconRun(addresses)
        try fail(&run, code)
        try fail(&run, code)
        #expect(all(&run) == ["https://a.example:444/5", "https://b.example/6"])
        #expect(run.skipped.map(\.text) == ["https://a.example/3", "https://a.example/4"])
        #expect(run.failed?.count == 2)
        #expect(run.failed?.first == "No.")
    }

    @Test func oneBadIconCostsNoOther() throws {
        var run = IconRun((1...4).map { "https://a.example/\($0)" })
        try fail(&run, .connect)
        let second = run.next()
        run.succeeded(try #require(second?.url))
        try fail(&run, .timeout)
        #expect(all(&run) == ["https://a.example/4"])
    }

    private static let others: [ProblemCode] = [
        .notFound, .schema, .tooLarge, .redirect,
    ]

    @Test(arguments: others)
    func afterOtherFailuresTheHostIsAskedAgain(code: ProblemCode) throws {
        var run = IconRun((1...4).map { "https://a.example/\($0)" })
        for _ in 1...3 { try fail(&run, code) }
        #expect(all(&run) == ["https://a.example/4"])
    }
}
