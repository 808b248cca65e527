import PromoWire
import Testing

/// The answer of `subscribe`.
struct SubscribeResultTests {
    @Test func itIsWrittenAsTheProtocolSays() {
        let result = SubscribeResult(subscribed: [.tap], epoch: "e0", seq: 41, replayed: 0, missed: 0)
        #expect(written(result.write) == #"{"subscribed":["tap"],"epoch":"e0","seq":41,"replayed":0,"missed":0}"#)
    }

    @Test func whatIsNotKnownToBeMissedIsNull() {
        let result = SubscribeResult(
            subscribed: [.impression, .tap, .catalog], epoch: "e1", seq: 2000, replayed: 1024, missed: nil)
        let expected =
            #"{"subscribed":["impression","tap","catalog"],"epoch":"e1","seq":2000,"replayed":1024,"missed":null}"#
        #expect(written(result.write) == expected)
    }
}
