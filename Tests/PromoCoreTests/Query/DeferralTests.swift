import PromoCore
import PromoWire
import Testing

@Suite struct DeferralTests {
    @Test(arguments: [
        (#"{"method":"refresh"}"#, Command.refresh(.init(wait: true))),
        (#"{"method":"refresh","wait":false}"#, .refresh(.init(wait: false))),
        (#"{"method":"clear"}"#, .clear()), (#"{"method":"reload"}"#, .reload),
        (#"{"method":"launch","app":"fittoday"}"#, .launch(app: "fittoday")),
        (
            #"{"method":"review-request","app":"fittoday","completed":3}"#,
            .reviewRequest(.init(app: "fittoday", completed: 3))
        ),
        (
            #"{"method":"review-eligible","app":"fittoday","completed":3}"#,
            .reviewEligible(.init(app: "fittoday", completed: 3))
        ),
        (#"{"method":"review-reset","app":"fittoday"}"#, .reviewReset(app: "fittoday")),
    ])
    func aRequestForTheKeeperIsACommandAndWritesNothing(line: String, command: Command) throws {
        for desk in [Desk.empty(), .loading(), try .serving()] {
            let reply = try desk.ask(line)
            #expect(reply.answer == .later(.command(command)))
            #expect(reply.bytes == [])
        }
    }

    @Test func aSubscriptionIsLeftToTheConnection() throws {
        let reply = try Desk.empty().ask(#"{"method":"subscribe","events":["tap"]}"#)
        #expect(reply.answer == .subscription(SubscribeParameters(events: [.tap])))
        #expect(reply.bytes == [])
    }
}
