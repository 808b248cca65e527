import PromoCore
import PromoWire
import Testing

@Suite struct DeferralTests {
    @Test(arguments: [
        #"{"method":"refresh"}"#, #"{"method":"refresh","wait":false}"#, #"{"method":"clear"}"#,
        #"{"method":"reload"}"#, #"{"method":"launch","app":"fittoday"}"#,
        #"{"method":"review-request","app":"fittoday","completed":3}"#,
        #"{"method":"review-eligible","app":"fittoday","completed":3}"#,
    ])
    func whatTheOtherPlaneAnswersIsDeferredWithNothingWritten(line: String) throws {
        for desk in [Desk.empty(), .loading(), try .serving()] {
            let reply = try desk.ask(line)
            #expect(reply.answer == .deferred)
            #expect(reply.bytes == [])
        }
    }
}
