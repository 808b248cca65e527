import PromoWire
import Testing

/// Failures as members.
struct FailureTests {
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
