import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// When a run over a catalog's pictures is made.
final class IconScheduleTests {
    private static let url = "https://a.example/i.png"

    private var schedule = IconSchedule()
    private var now = Timestamp.start

    /// A client asks, while pictures can be fetched.
    private func ask() -> Bool { schedule.asked(now: now) { true } }

    private func fetched() -> Bool { schedule.catalogFetched() }

    /// A run of one fetch ends, which no host answers if there is a failure.
    /// - Returns: whether it tells nothing new.
    @discardableResult
    private func end(_ code: ProblemCode? = nil, status: Int? = nil) throws -> Bool {
        let url = try #require(HTTPSURL(Self.url))
        var run = IconRun()
        run.plan([Self.url])
        _ = run.next { _, _ in false }
        if let code { run.failed(url, Failure(code, "No."), status: status) } else { run.succeeded(url, isNew: true) }
        return schedule.ended(run, now: now)
    }

    @Test func theFirstAskSinceAFetchOfTheCatalogBeginsARunAndFurtherOnesDoNot() throws {
        for _ in 0..<2 {
            #expect(ask())
            try end()
            #expect(!ask())
            #expect(!ask())
            now = now + .days(9)
            #expect(!ask())
            _ = fetched()
            try end()
            _ = fetched()
        }
    }

    @Test func onlyTheFirstOfSeveralRunsInVainIsNew() throws {
        #expect(try !end(.connect))
        #expect(try end(.connect))
        #expect(try !end())
        #expect(try !end(.connect))
        _ = fetched()
        #expect(try !end(.connect))
    }

    @Test func aFetchOfTheCatalogBeginsARunOnlyIfSomebodyHasAskedSinceTheOneBefore() throws {
        #expect(!fetched())
        _ = ask()
        try end()
        #expect(fetched())
        try end()
        #expect(!fetched())
        _ = ask()
        #expect(fetched())
    }

    @Test func theRunAfterAFetchOfTheCatalogServesTheAsksThatFollow() throws {
        _ = ask()
        _ = fetched()
        try end(.notFound, status: 404)
        #expect(!ask())
        #expect(fetched())
    }

    @Test(arguments: [ProblemCode.notFound, .schema, .tooLarge, .unavailable])
    func aFailureOfAHostThatHasAnsweredWaitsForTheNextRun(code: ProblemCode) throws {
        _ = ask()
        try end(code, status: code == .unavailable ? 503 : nil)
        now = now + .hours(9)
        #expect(!ask())
    }

    @Test(arguments: [ProblemCode.dns, .connect, .untrusted, .timeout, .proxy])
    func aRunThatReachedNoHostCountsAsNoneAfterAMinute(code: ProblemCode) throws {
        _ = ask()
        for _ in 0..<2 {
            try end(code)
            #expect(!ask())
            now = now + .seconds(59)
            #expect(!ask())
            now = now + .seconds(1)
            #expect(ask())
        }
        // Nor does the clock that was set back keep it waiting.
        try end(code)
        now = now - .seconds(1)
        #expect(ask())
    }

    @Test func aRunInVainAfterAFetchOfTheCatalogLeavesTheAskStanding() throws {
        _ = ask()
        _ = fetched()
        try end(.dns)
        #expect(fetched())
    }

    @Test func anAskWhileNothingCanBeFetchedIsRemembered() throws {
        let begins = schedule.asked(now: .start) { false }
        #expect(!begins)
        #expect(schedule.isAsked)
        #expect(ask())
    }

    @Test func afterPicturesAreLostTheNextAskBeginsARun() throws {
        _ = ask()
        try end()
        schedule.lost()
        #expect(ask())
    }

    @Test(arguments: [
        (Duration.zero, Duration.zero), (.seconds(1), .seconds(1)), (.hours(24), .hours(24)), (.days(99), .hours(24)),
    ])
    func aHostRestsAsLongAsItAsksAndADayAtMost(delay: Duration, rest: Duration) throws {
        let url = try #require(HTTPSURL(Self.url))
        var schedule = IconSchedule()
        schedule.rest(url, for: delay, now: .start)
        #expect(!schedule.isResting(url, now: .start + rest))
        let last = max(rest - .seconds(1), .zero)
        #expect(schedule.isResting(url, now: .start + last) == (rest > .zero))
        #expect(!schedule.isResting(try #require(HTTPSURL("https://a.example:444/i.png")), now: .start))
    }

    @Test func aRestThatTheClockCannotExplainIsNotBelieved() throws {
        let url = try #require(HTTPSURL(Self.url))
        var schedule = IconSchedule()
        schedule.rest(url, for: .hours(24), now: .start)
        #expect(!schedule.isResting(url, now: .start - .hours(1)))
    }
}

/// The order in which a run fetches pictures, and which hosts it skips.
struct IconRunTests {
    private func run(_ urls: [String]) -> IconRun {
        var run = IconRun()
        run.plan(urls)
        return run
    }

    private func next(_ run: inout IconRun) -> HTTPSURL? { run.next { _, _ in false }.next?.url }

    private func all(_ run: inout IconRun) -> [String] {
        var texts: [String] = []
        while let url = next(&run) {
            texts.append("\(url)")
            run.succeeded(url, isNew: true)
        }
        return texts
    }

    private func fail(_ run: inout IconRun, _ code: ProblemCode) throws {
        run.failed(try #require(next(&run)), Failure(code, "No."), status: nil)
    }

    @Test func addressesAreFetchedInTheirOrder() {
        let addresses = ["https://a.example/1", "https://b.example/2"]
        var run = run(addresses)
        #expect(all(&run) == addresses)
        #expect(run.failed?.first == nil)
        #expect([run.skipped, run.arrivals] == [0, 2])
    }

    @Test(arguments: [ProblemCode.dns, .connect, .tls, .untrusted, .timeout, .proxy, .unavailable, .storage])
    func aHostThatFailsTwiceInARowIsSkipped(code: ProblemCode) throws {
        let addresses = (1...4).map { "https://a.example/\($0)" } + ["https://a.example:444/5", "https://b.example/6"]
        var run = run(addresses)
        try fail(&run, code)
        try fail(&run, code)
        let (next, skipped) = run.next { _, _ in false }
        #expect(skipped == Array(addresses[2...3]))
        #expect(next?.text == addresses[4])
        #expect(run.failed?.first == "No.")
        #expect([run.failed?.count, run.skipped] == [2, 2])
        #expect(addresses.map(run.isAhead) == [false, false, false, false, true, true])
    }

    @Test func oneBadIconCostsNoOther() throws {
        var run = run((1...4).map { "https://a.example/\($0)" })
        try fail(&run, .connect)
        run.succeeded(try #require(next(&run)), isNew: true)
        try fail(&run, .timeout)
        #expect(all(&run) == ["https://a.example/4"])
    }

    @Test(arguments: [ProblemCode.notFound, .schema, .tooLarge, .redirect])
    func afterOtherFailuresTheHostIsAskedAgain(code: ProblemCode) throws {
        var run = run((1...4).map { "https://a.example/\($0)" })
        for _ in 1...3 { try fail(&run, code) }
        #expect(all(&run) == ["https://a.example/4"])
    }

    @Test func anotherPlanLeavesOutWhatWasTriedAndWhatIsNotPlannedAnyMore() throws {
        let addresses = (1...4).map { "https://a.example/\($0)" }
        var run = run(addresses)
        run.succeeded(try #require(next(&run)), isNew: true)
        let current = try #require(next(&run))
        run.plan([addresses[0], addresses[1], addresses[3], "https://a.example/5"])
        #expect(addresses.map(run.isAhead) == [false, true, false, true])
        run.succeeded(current, isNew: true)
        #expect(all(&run) == [addresses[3], "https://a.example/5"])
    }
}
