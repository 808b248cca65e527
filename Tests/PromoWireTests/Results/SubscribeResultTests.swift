import PromoWire
import Testing

/// The result of `subscribe`.
struct SubscribeResultTests {
    @Test func itIsWrittenAsTheProtocolSays() {
        let result = SubscribeResult(subscribed: [.tap], epoch: "e0", seq: 41, replayed: 0, missed: 0)
        #expect(written(result.write) == #"{"subscribed":["tap"],"epoch":"e0","seq":41,"replayed":0,"missed":0}"#)
    }

    @Test func anUnknownCountOfMissedEventsIsNull() {
        let result = SubscribeResult(
            subscribed: EventKind.allCases, epoch: "e1", seq: 2000, replayed: 1024, missed: nil)
        let expected =
            #"{"subscribed":["impression","tap","catalog","icons"],"epoch":"e1","seq":2000,"replayed":1024,"missed":null}"#
        #expect(written(result.write) == expected)
    }

    private func read(missed: String) throws -> SubscribeResult {
        let members = #""subscribed":["impression","tap","catalog","icons"],"epoch":"e1","seq":41,"replayed":3"#
        return try SubscribeResult(try json("{\(members)\(missed)}"))
    }

    @Test(arguments: [("", nil), (#","missed":null"#, nil), (#","missed":0"#, 0), (#","missed":7"#, 7)])
    func missedIsANumberOrUnknown(missed: String, expected: Int?) throws {
        let result = try read(missed: missed)
        #expect(result.missed == expected)
        #expect(result.subscribed == EventKind.allCases)
        #expect(result.seq == 41)
        #expect(result.replayed == 3)
    }

    @Test(arguments: [#""1""#, "1.0", "true", "[]", "{}"])
    func missedIsNothingElse(value: String) throws {
        let member = try malformedMember { try read(missed: #","missed":\#(value)"#) }
        #expect(member == "missed")
    }
}
