import PromoWire
import Testing

/// The result of `subscribe`.
struct SubscribeResultTests {
    @Test func itIsWrittenAsTheProtocolSays() {
        let result = SubscribeResult(subscribed: [.tap], epoch: "e0", since: 41)
        #expect(written(result.write) == #"{"subscribed":["tap"],"epoch":"e0","since":41}"#)
    }

    @Test(arguments: [#""1""#, "1.5", "true", "[]", "{}", "null"])
    func sinceIsANumber(value: String) throws {
        let member = try malformedMember {
            try SubscribeResult(try json(#"{"subscribed":["tap"],"epoch":"e1","since":\#(value)}"#))
        }
        #expect(member == "since")
    }
}
