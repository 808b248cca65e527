import PromoWire
import Testing

/// The answers of `review-eligible` and `review-request`.
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
    func eligibleAtIsNeverSaidTooEarly(milliseconds: Int64, time: String) {
        let at = Timestamp(milliseconds: 1_800_000_000_000 + milliseconds)
        #expect(
            text(.eligible, reasons: [.tooFewCompletions], eligibleAt: at).contains(
                "\"eligibleAt\":\"2027-01-15T\(time)Z\""))
    }

    @Test func adviceComesLastAndOnlyWhereThereIsSome() {
        #expect(text(.eligible, reasons: [.tooFewCompletions], advice: "Do it.").hasSuffix(#","advice":"Do it."}"#))
        #expect(!text(.eligible, reasons: [.tooFewCompletions]).contains("advice"))
    }
}
