import PromoCore
import PromoWire
import Testing

/// The reply of `review-eligible` from a snapshot, and the results of `review-request` for a verdict.
@Suite struct ReviewReplyTests {
    private let line = #"{"method":"review-eligible","app":"fittoday","completed":3}"#

    private func desk(_ apps: [String: [Duration]] = [:], launched: Duration = .days(1000)) -> Desk {
        var desk = Desk.empty()
        desk.snapshot.reviews = .of(apps, launched: launched)
        return desk
    }

    @Test func anEligibleAppHasNoReasons() throws {
        let reply = try desk(["fittoday": [.days(30)]]).ask(line)
        #expect(reply.answer == .written())
        #expect(try reply.result == ["app": "fittoday", "eligible": true, "reasons": [], "eligibleAt": .null])
    }

    @Test func anAppThatIsNotEligibleHasReasonsAndATime() throws {
        let reply = try desk(["fittoday": [.days(10)]]).ask(line)
        #expect(
            try reply.result == [
                "app": "fittoday", "eligible": false, "reasons": ["too-soon-after-last-request"],
                "eligibleAt": "2027-02-04T08:00:00Z",
            ])
    }

    @Test func tooFewCompletionsHaveNoEnd() throws {
        let reply = try desk(["fittoday": []]).ask(#"{"method":"review-eligible","app":"fittoday","completed":2}"#)
        let expected: JSON = [
            "app": "fittoday", "eligible": false, "reasons": ["too-few-completions"], "eligibleAt": .null,
            "completionsNeeded": 3,
        ]
        #expect(try reply.result == expected)
    }

    @Test func anAppThatWasNeverLaunchedIsAdvisedToLaunch() throws {
        let result = try desk(["bookary": []]).ask(line).result
        #expect(result["reasons"] == ["never-launched"])
        #expect(result["eligibleAt"] == .null)
        guard case .string(let advice) = result["advice"] else {
            Issue.record("there is no advice")
            return
        }
        #expect(advice.contains("launch"))
    }

    @Test func aReviewThatNeedsAPageNeedsOneAndANetwork() throws {
        func reasons(_ members: String, _ app: String, isOnline: Bool = true) throws -> JSON? {
            var desk = desk([app: []])
            desk.isOnline = isOnline
            return try desk.ask(
                "{\"method\":\"review-eligible\",\"app\":\"\(app)\",\"completed\":3\(members)}"
            ).result["reasons"]
        }
        #expect(try reasons("", "fittoday", isOnline: false) == [])
        #expect(try reasons(",\"needsPage\":true", "fittoday") == ["no-page"])
        #expect(try reasons(",\"needsPage\":true", "fittoday", isOnline: false) == ["no-page", "offline"])
        #expect(try reasons(",\"needsPage\":true,\"appStoreID\":\"7\"", "fittoday") == [])
        #expect(try reasons(",\"needsPage\":true,\"appStoreID\":\"7\"", "fittoday", isOnline: false) == ["offline"])
    }

    @Test func thePolicyIsThatOfTheSnapshot() throws {
        var desk = desk(["fittoday": []])
        desk.snapshot.reviewPolicy.minimumCompletions = 4
        #expect(try desk.ask(line).result["reasons"] == ["too-few-completions"])
    }

    @Test func theClockIsReadForEachRequest() throws {
        var desk = desk(["fittoday": []], launched: .zero)
        #expect(try desk.ask(line).result["eligible"] == false)
        desk.now = .start + .days(7) - .milliseconds(1)
        #expect(try desk.ask(line).result["eligibleAt"] == "2027-01-22T08:00:00Z")
        desk.now = .start + .days(7)
        #expect(try desk.ask(line).result["eligible"] == true)
    }

    @Test func itNeedsNoCatalog() throws {
        var desk = try Desk.serving()
        desk.snapshot.reviews = .of(["fittoday": []])
        let served = try desk.ask(line).json
        desk.snapshot.catalog.served = nil
        #expect(try desk.ask(line).json == served)
    }

    @Test func anUnreadableHistoryIsReadAgainByTheControlPlane() throws {
        let reply = try Desk.serving().ask(line)
        #expect(reply.answer.command != nil)
        #expect(reply.bytes == [])
    }

    @Test func launchesAndRequestsAlwaysWaitForTheDisk() throws {
        for line in [
            #"{"method":"launch","app":"fittoday"}"#, #"{"method":"review-request","app":"fittoday","completed":3}"#,
            #"{"method":"review-request","app":"fittoday","completed":0}"#,
        ] {
            let reply = try desk(["fittoday": []]).ask(line)
            #expect(reply.answer.command != nil)
            #expect(reply.bytes == [])
        }
    }

    // MARK: Verdicts

    @Test func aRefusalHasNoReviewURL() {
        let verdict = ReviewVerdict.of([.tooFewCompletions, .yearlyLimit], eligibleAt: .start)
        let result = verdict.refusal(of: "fittoday")
        #expect(result.question == .request(reviewURL: nil))
        #expect(result.reasons == [.tooFewCompletions, .yearlyLimit])
        #expect(result.eligibleAt == .start)
        #expect(result.advice == nil)
        #expect(verdict.eligibility(of: "fittoday").question == .eligible)
    }

    @Test func adviceComesWithWhatAPersonHasToDoFirst() {
        let advised: [ReviewResult.Reason] = [.neverLaunched, .notConfigured, .sample]
        for reason in ReviewResult.Reason.allCases {
            let verdict = ReviewVerdict.of([reason])
            #expect((verdict.refusal(of: "fittoday").advice != nil) == advised.contains(reason))
            #expect((verdict.eligibility(of: "fittoday").advice != nil) == advised.contains(reason))
        }
    }

    @Test func aGrantHasTheReviewsPageIfItIsKnown() {
        let known = ReviewVerdict.grant(
            to: "bookary", next: .start, page: "https://apps.apple.com/app/id6470000002?action=write-review"
        )
        #expect(
            known.question == .request(reviewURL: "https://apps.apple.com/app/id6470000002?action=write-review"))
        #expect(known.reasons == [])
        #expect(known.eligibleAt == .start)
        #expect(
            ReviewVerdict.grant(to: "fittoday", next: .start, page: nil).question
                == .request(reviewURL: nil))
    }
}
