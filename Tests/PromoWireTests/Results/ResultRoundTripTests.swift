import PromoTestSupport
import PromoWire
import Testing

/// A client reads back what the daemon wrote.
struct ResultRoundTripTests {
    private func reread<Result: MethodResult>(
        _ result: Result, _ read: (JSONValue) throws -> Result
    ) throws -> Result {
        try read(try json(written(result.write)))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func aRandomResultComesBack(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let tap = TapResult.random(using: &generator)
            #expect(try reread(tap, TapResult.init) == tap)
            let launch = LaunchResult.random(using: &generator)
            #expect(try reread(launch, LaunchResult.init) == launch)
            let review = ReviewResult.random(using: &generator)
            #expect(try reread(review, ReviewResult.init) == review)
            let refresh = RefreshResult.random(using: &generator)
            #expect(try reread(refresh, RefreshResult.init) == refresh)
            let subscribe = SubscribeResult.random(using: &generator)
            #expect(try reread(subscribe, SubscribeResult.init) == subscribe)
            let status = StatusResult.random(using: &generator)
            #expect(try reread(status, StatusResult.init) == status)
        }
    }

    @Test(arguments: ProblemCode.allCases, RefreshResult.Outcome.allCases)
    func everyFailureOfEveryOutcomeComesBack(code: ProblemCode, outcome: RefreshResult.Outcome) throws {
        let result = RefreshResult(outcome: outcome, generation: nil, error: Failure(code, "m"))
        #expect(try reread(result, RefreshResult.init) == result)
    }

    @Test(arguments: Freshness.State.allCases, Freshness.Source.allCases)
    func everyStateOfEverySourceComesBack(state: Freshness.State, source: Freshness.Source) throws {
        let list = try json(
            #"{"state":"\#(state.rawValue)","source":"\#(source.rawValue)","canRetry":false,"apps":[]}"#)
        #expect(try ListResult(list).freshness == Freshness(state: state, source: source, generation: nil))
    }

    @Test(arguments: CatalogStatus.Reason.allCases)
    func everyReasonForTheNextAttemptComesBack(reason: CatalogStatus.Reason) throws {
        var status = CatalogStatus()
        status.nextReason = reason
        #expect(try reread(status, CatalogStatus.init) == status)
    }
}
