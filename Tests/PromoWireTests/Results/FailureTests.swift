import PromoWire
import Testing

/// Failures and their codes.
struct FailureTests {
    @Test func theCodesAreThoseOfTheProtocol() {
        #expect(
            Failure.Code.allCases.map(\.rawValue) == [
                "dns", "connect", "proxy", "tls", "timeout", "http-status", "redirect", "too-large", "encoding",
                "json", "schema", "storage", "interrupted",
            ])
    }

    @Test func aFailureIsAMemberWithCodeAndMessage() {
        let text = written { writer in
            writer.object { $0.member("error", Failure(.httpStatus, "503 from \"example.com\"")) }
        }
        #expect(text == #"{"error":{"code":"http-status","message":"503 from \"example.com\""}}"#)
    }

    @Test func noFailureIsNull() {
        #expect(written { $0.object { $0.member("error", nil as Failure?) } } == #"{"error":null}"#)
    }
}
