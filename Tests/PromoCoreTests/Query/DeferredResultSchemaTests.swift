import PromoCore
import PromoWire
import Testing

/// The results of the keeper and the event hub match the schemas of `rpc.discover` exactly.
@Suite struct DeferredResultSchemaTests {
    @Test(arguments: [true, false])
    func aLaunchHasItsShape(isRecorded: Bool) throws {
        let result = LaunchResult(app: "fittoday", firstLaunch: .start, isRecorded: isRecorded)
        #expect(try ResultSchema("launch").findings(result) == [])
    }

    @Test(arguments: [nil, "https://apps.apple.com/app/id6470000002"])
    func aGrantHasItsShape(page: String?) throws {
        var history = ReviewHistory()
        history["fittoday"] = ReviewRecord(firstLaunch: .start)
        let result = history.request(
            ReviewParameters(app: "fittoday", completed: 3), policy: ReviewPolicy(), page: page, isOnline: { true },
            now: .start + .days(7))
        #expect(result.isGranted)
        #expect(try ResultSchema("review-request").findings(result) == [])
    }

    @Test(arguments: ReviewResult.Reason.allCases.map { [$0] } + [ReviewResult.Reason.allCases])
    func aRefusalHasItsShape(reasons: [ReviewResult.Reason]) throws {
        for time in [nil, Timestamp.start] {
            var result = ReviewResult()
            (result.app, result.reasons, result.eligibleAt) = ("fittoday", reasons, time)
            (result.completionsNeeded, result.advice) = (3, "Launch it.")
            #expect(try ResultSchema("review-eligible").findings(result) == [])
            result.isRequest = true
            #expect(try ResultSchema("review-request").findings(result) == [])
        }
    }

    @Test(arguments: RefreshResult.Outcome.allCases, [nil] + ProblemCode.allCases)
    func aRefreshHasItsShape(outcome: RefreshResult.Outcome, code: ProblemCode?) throws {
        for (generation, time) in [(nil, nil), ("5e3a000000000000", Timestamp.start)] as [(String?, Timestamp?)] {
            let result = RefreshResult(
                outcome: outcome, generation: generation, error: code.map { Failure($0, "m") }, retryAt: time)
            #expect(try ResultSchema("refresh").findings(result) == [])
        }
    }

    @Test func clearingHasItsShape() throws {
        #expect(try ResultSchema("clear").findings(ClearResult()) == [])
    }

    @Test func reloadingHasItsShape() throws {
        #expect(try ResultSchema("reload").findings(ReloadResult()) == [])
    }

    @Test func aSubscriptionHasItsShape() throws {
        for kinds in [EventKind.allCases, [.tap], []] {
            let result = SubscribeResult(subscribed: kinds, epoch: "e0", since: 41)
            #expect(try ResultSchema("subscribe").findings(result) == [])
        }
    }

    @Test(arguments: [("launch", "recorded"), ("refresh", "outcome"), ("subscribe", "since"), ("clear", "cleared")])
    func theResultOfOneMethodIsNotThatOfAnother(method: String, member: String) throws {
        #expect(try ResultSchema("reload").findings(ReloadResult()) == [])
        #expect(try ResultSchema(method).findings(ReloadResult()).contains("/\(member) is missing"))
        #expect(try ResultSchema(method).findings(ReloadResult()).contains("/reloaded is not named"))
    }
}
