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

    private func fail(_ run: inout IconRun, _ code: Failure.Code, _ status: Int?) throws {
        let next = run.next()
        let url = try #require(next?.url)
        run.failed(url, Failure(code, "No."), httpStatus: status)
    }

    @Test func addressesAreAskedInTheirOrder() {
        var run = IconRun(["https://a.example/1", "https://b.example/2"])
        #expect(all(&run) == ["https://a.example/1", "https://b.example/2"])
        #expect(run.failed == nil)
        #expect(run.skipped.isEmpty)
    }

    private static let unreachable: [(Failure.Code, Int?)] = [
        (.dns, nil), (.connect, nil), (.tls, nil), (.timeout, nil), (.proxy, nil), (.httpStatus, 429),
        (.httpStatus, 503),
    ]

    @Test(arguments: unreachable)
    func aHostThatFailsTwiceInARowIsAskedNoMore(code: Failure.Code, status: Int?) throws {
        let addresses = (1...4).map { "https://a.example/\($0)" } + ["https://a.example:444/5", "https://b.example/6"]
        var run = IconRun(addresses)
        try fail(&run, code, status)
        try fail(&run, code, status)
        #expect(all(&run) == ["https://a.example:444/5", "https://b.example/6"])
        #expect(run.skipped.map(\.text) == ["https://a.example/3", "https://a.example/4"])
        #expect(run.failed?.count == 2)
        #expect(run.failed?.first == "No.")
    }

    @Test func oneBadIconCostsNoOther() throws {
        var run = IconRun((1...4).map { "https://a.example/\($0)" })
        try fail(&run, .connect, nil)
        let second = run.next()
        run.succeeded(try #require(second?.url))
        try fail(&run, .timeout, nil)
        #expect(all(&run) == ["https://a.example/4"])
    }

    private static let others: [(Failure.Code, Int?)] = [
        (.httpStatus, 404), (.schema, nil), (.tooLarge, nil), (.redirect, nil),
    ]

    @Test(arguments: others)
    func afterOtherFailuresTheHostIsAskedAgain(code: Failure.Code, status: Int?) throws {
        var run = IconRun((1...4).map { "https://a.example/\($0)" })
        for _ in 1...3 { try fail(&run, code, status) }
        #expect(all(&run) == ["https://a.example/4"])
    }
}
