import PromoWire
import Testing

/// The results of `review-eligible` and `review-request`.
struct ReviewResultTests {
    private static let storeURL = "https://apps.apple.com/app/id6470000002?action=write-review"

    private func text(
        _ question: ReviewResult.Question, reasons: [ReviewResult.Reason] = [], eligibleAt: Timestamp? = nil,
        advice: String? = nil
    ) -> String {
        let result = ReviewResult(
            app: "fittoday", question: question, reasons: reasons, eligibleAt: eligibleAt, advice: advice)
        return written(result.write)
    }

    @Test func anEligibleAppHasNoReasonsAndNoTime() {
        #expect(text(.eligible) == #"{"app":"fittoday","eligible":true,"reasons":[],"eligibleAt":null}"#)
    }

    @Test func aRefusalNamesItsReasonsInTheOrderGiven() {
        let refusal = text(.request(reviewURL: nil), reasons: [.yearlyLimit, .tooFewCompletions])
        let expected =
            #"{"app":"fittoday","granted":false,"reasons":["yearly-limit","too-few-completions"],"eligibleAt":null,"reviewURL":null}"#
        #expect(refusal == expected)
    }

    @Test func aGrantSaysWhereToWriteTheReview() {
        let grant = text(.request(reviewURL: Self.storeURL), eligibleAt: Timestamp(seconds: 1_800_000_000))
        let expected =
            #"{"app":"fittoday","granted":true,"reasons":[],"eligibleAt":"2027-01-15T08:00:00Z","#
            + #""reviewURL":"https://apps.apple.com/app/id6470000002?action=write-review"}"#
        #expect(grant == expected)
    }

    @Test(arguments: [(0, "08:00:00"), (1, "08:00:01"), (999, "08:00:01"), (1000, "08:00:01")])
    func eligibleAtIsRoundedUp(milliseconds: Int64, time: String) {
        let at = Timestamp(milliseconds: 1_800_000_000_000 + milliseconds)
        #expect(
            text(.eligible, reasons: [.tooFewCompletions], eligibleAt: at).contains(
                "\"eligibleAt\":\"2027-01-15T\(time)Z\""))
    }

    @Test func adviceComesLastAndOnlyIfThereIsSome() {
        #expect(text(.eligible, reasons: [.tooFewCompletions], advice: "Do it.").hasSuffix(#","advice":"Do it."}"#))
        #expect(!text(.eligible, reasons: [.tooFewCompletions]).contains("advice"))
    }

    // MARK: Reading

    private func read(_ text: String) throws -> ReviewResult {
        try ReviewResult(try json(text))
    }

    @Test func aGrantIsReadWithItsAddress() throws {
        let result = try read(#"{"app":"a","granted":true,"reasons":[],"eligibleAt":null,"reviewURL":"https://a"}"#)
        #expect(result.isGranted)
        #expect(result.reviewURL == "https://a")
        #expect(result.question == .request(reviewURL: "https://a"))
    }

    @Test func anEligibilityHasNoAddress() throws {
        let result = try read(#"{"app":"a","eligible":true,"reasons":[],"eligibleAt":null,"reviewURL":"https://a"}"#)
        #expect(result.isGranted)
        #expect(result.reviewURL == nil)
        #expect(result.question == .eligible)
    }

    @Test(arguments: ReviewResult.Reason.allCases)
    func aReasonIsReadAndMeansARefusal(reason: ReviewResult.Reason) throws {
        let result = try read(#"{"app":"a","granted":false,"reasons":["\#(reason.rawValue)"],"reviewURL":null}"#)
        #expect(result.reasons == [reason])
        #expect(!result.isGranted)
    }

    @Test func reasonsKeepTheirOrder() throws {
        let result = try read(#"{"app":"a","eligible":false,"reasons":["yearly-limit","never-launched"]}"#)
        #expect(result.reasons == [.yearlyLimit, .neverLaunched])
    }

    @Test(arguments: [
        #""granted":true,"reasons":["yearly-limit"]"#, #""granted":false,"reasons":[]"#,
        #""eligible":true,"reasons":["yearly-limit"]"#, #""eligible":false,"reasons":[]"#,
    ])
    func aResultThatContradictsItsReasonsIsRefused(members: String) throws {
        #expect(try malformedMember { try read(#"{"app":"a",\#(members)}"#) } == "reasons")
    }

    @Test func aResultOfNeitherMethodIsRefused() throws {
        #expect(try malformedMember { try read(#"{"app":"a","reasons":[]}"#) } == "granted")
    }

    @Test(arguments: ["null", "1", #""true""#, "[]"])
    func eligibleAndGrantedAreBooleans(value: String) throws {
        for member in ["eligible", "granted"] {
            let text = #"{"app":"a","\#(member)":\#(value),"reasons":[]}"#
            #expect(try malformedMember { try read(text) } == member)
        }
    }
}
