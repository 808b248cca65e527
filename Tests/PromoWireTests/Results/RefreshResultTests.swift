import PromoTestSupport
import PromoWire
import Testing

/// The result of `refresh`.
struct RefreshResultTests {
    private static let time = Timestamp(seconds: 1_795_223_340)

    @Test func anUpdateHasAGenerationAndNoError() {
        let result = RefreshResult(outcome: .updated, generation: "5e3a000000000000")
        let expected = #"{"outcome":"updated","generation":"5e3a000000000000","error":null,"retryAt":null}"#
        #expect(written(result.write) == expected)
    }

    @Test func aFailureHasItsErrorAndWhenTheNextAttemptComes() {
        let result = RefreshResult(
            outcome: .failed, generation: nil, error: Failure(.tls, "The certificate has expired."), retryAt: Self.time)
        let expected =
            #"{"outcome":"failed","generation":null,"#
            + #""error":{"code":"tls","message":"The certificate has expired."},"retryAt":"2026-11-21T01:09:00Z"}"#
        #expect(written(result.write) == expected)
    }

    @Test func theTimeOfTheNextAttemptIsRoundedUp() throws {
        let result = RefreshResult(outcome: .failed, generation: nil, retryAt: Self.time + .milliseconds(1))
        #expect(try json(written(result.write))["retryAt"]?.string == "2026-11-21T01:09:01Z")
    }

    @Test(
        arguments: [
            (.updated, "updated"), (.unchanged, "unchanged"), (.failed, "failed"),
            (.started, "started"),
        ] as [(RefreshResult.Outcome, String)])
    func everyOutcomeHasItsWord(outcome: RefreshResult.Outcome, word: String) throws {
        let result = RefreshResult(outcome: outcome, generation: nil)
        #expect(try json(written(result.write))["outcome"]?.string == word)
    }
}
