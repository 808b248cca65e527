import PromoWire
import Testing

/// The results of `review-eligible` and `review-request`.
struct ReviewResultTests {
    private static let time = Timestamp(seconds: 1_800_000_000)

    private static func result(_ change: (inout ReviewResult) -> Void) -> ReviewResult {
        var result = ReviewResult()
        result.app = "a"
        change(&result)
        return result
    }

    private static let results: [(ReviewResult, String)] = [
        (result { _ in }, #"{"app":"a","eligible":true,"reasons":[],"eligibleAt":null}"#),
        (
            result { ($0.reasons, $0.completionsNeeded) = ([.yearlyLimit, .tooFewCompletions], 3) },
            #"{"app":"a","eligible":false,"reasons":["yearly-limit","too-few-completions"],"eligibleAt":null,"completionsNeeded":3}"#
        ),
        (
            result { ($0.isRequest, $0.reasons, $0.advice) = (true, [.neverLaunched], "Do it.") },
            #"{"app":"a","granted":false,"reasons":["never-launched"],"eligibleAt":null,"reviewURL":null,"advice":"Do it."}"#
        ),
        (
            result { ($0.isRequest, $0.reviewURL, $0.eligibleAt) = (true, "https://a/", time) },
            #"{"app":"a","granted":true,"reasons":[],"eligibleAt":"2027-01-15T08:00:00Z","reviewURL":"https://a/"}"#
        ),
    ]

    @Test(arguments: results)
    func aResultIsWrittenAndReadBack(result: ReviewResult, text: String) throws {
        #expect(written(result.write) == text)
        #expect(try ReviewResult(try json(text)) == result)
    }

    @Test func theReasonsAreTheProtocolsWords() {
        #expect(
            ReviewResult.Reason.allCases.map(\.rawValue) == [
                "never-launched", "too-few-completions", "too-soon-after-first-launch", "too-soon-after-last-request",
                "yearly-limit", "no-page", "offline",
            ])
    }

    @Test(arguments: [(0, "08:00:00"), (1, "08:00:01"), (999, "08:00:01"), (1000, "08:00:01")])
    func eligibleAtIsRoundedUp(milliseconds: Int64, time: String) {
        let result = Self.result { $0.eligibleAt = Timestamp(milliseconds: 1_800_000_000_000 + milliseconds) }
        #expect(written(result.write).contains("\"eligibleAt\":\"2027-01-15T\(time)Z\""))
    }

    @Test(arguments: [
        (#""granted":true,"reasons":["yearly-limit"]"#, "reasons"), (#""granted":false,"reasons":[]"#, "reasons"),
        (#""eligible":true,"reasons":["yearly-limit"]"#, "reasons"), (#""eligible":null,"reasons":[]"#, "eligible"),
        (#""granted":1,"reasons":[]"#, "granted"), (#""reasons":[]"#, "granted"),
    ])
    func aResultOfAnotherFormIsRefused(members: String, member: String) throws {
        #expect(try malformedMember { try ReviewResult(try json(#"{"app":"a",\#(members)}"#)) } == member)
    }
}
