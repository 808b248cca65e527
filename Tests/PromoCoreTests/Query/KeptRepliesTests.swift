@testable import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// A reply that is kept has the same bytes as one that is newly made.
struct KeptRepliesTests {
    private static let line = #"{"jsonrpc":"2.0","id":7,"method":"list","params":{"host":"finebill","language":"ko"}}"#

    private var kept = KeptReplies()
    private var made = 0

    /// The reply with its line feed; nil if the line is not answered.
    private mutating func reply(_ line: String, _ desk: Desk) -> String? {
        let bytes = Array((line + "\n").utf8)
        var output = OutputQueue()
        let length = kept.answer(bytes.span, output: &output) {
            made += 1
            return desk.keptList($0, of: $1)
        }
        #expect(length == (output.isEmpty ? 0 : bytes.count))
        return output.isEmpty ? nil : String(decoding: output.text, as: UTF8.self)
    }

    @Test(arguments: [
        line, #"{"id":7,"method":"list"}"#, #"{"id":7,"method":"list","host":"nobody","limit":2}"#,
        #"{"id":7,"method":"list","language":"*"}"#, #"{"id":7,"method":"list","language":"?"}"#,
        #"{"id":7,"method":"list","unlaunched":true}"#,
    ])
    func aKeptReplyHasTheBytesOfANewOne(line: String) throws {
        var test = self
        let desk = try Desk.serving()
        let general = String(decoding: try desk.ask(line).bytes, as: UTF8.self) + "\n"
        for _ in 0..<3 {
            #expect(test.reply(line, desk) == general)
        }
        #expect(test.made == 1)
    }

    /// Asks for the lists of some hosts, each of `length` bytes, and returns how many replies were made.
    private static func made(_ kept: inout KeptReplies, _ numbers: some Sequence<Int>, length: Int = 1) -> Int {
        var made = 0
        for number in numbers {
            let line = Array("{\"id\":7,\"method\":\"list\",\"host\":\"app-\(number)\"}\n".utf8)
            var output = OutputQueue()
            _ = kept.answer(line.span, output: &output) { _, _ in
                made += 1
                return Array(repeating: UInt8(ascii: "}"), count: length)
            }
        }
        return made
    }

    @Test func ofAHundredThousandShortLinesTheLastOnesAreKept() {
        var kept = KeptReplies()
        #expect(Self.made(&kept, 0..<100_000) == 100_000)
        #expect(Self.made(&kept, [99_999]) == 0)
        #expect(Self.made(&kept, (0..<100_000).reversed()) > 75_000)
    }

    @Test func theLimitsOfAReplyAndOfAllTogetherHold() {
        var kept = KeptReplies()
        let (longest, most) = (KeptReplies.maximumReply, KeptReplies.maximumTotal / KeptReplies.maximumReply)
        #expect(Self.made(&kept, 0..<most - 4, length: longest) == most - 4)
        #expect(Self.made(&kept, (0..<most - 4).reversed(), length: longest) <= 2)
        for _ in 0..<2 { #expect(Self.made(&kept, 200..<260, length: longest + 1) == 60) }
        #expect(Self.made(&kept, 100..<100 + most, length: longest) == most)
        #expect(Self.made(&kept, (100..<100 + most).reversed(), length: longest) >= 3)
    }

    @Test func onlyRepliesFromAFreshCatalogAreKept() throws {
        var test = self
        for desk in [Desk.empty(), .loading(), try .serving(fetchedAt: .start - .days(2))] {
            #expect(test.reply(Self.line, desk) == nil)
        }
    }

    @Test(arguments: [
        #""wait":true"#, #""icons":true"#, #""id":null,"id":7"#, #""id":7.0"#, #""id":"a\u0062""#, #""id":1234567890"#,
        #""app":"\"list\"""#,
    ])
    func whatDependsOnMoreOrHasAnUncommonIDIsNotKept(member: String) throws {
        var test = self
        let desk = try Desk.serving()
        #expect(test.reply("{\"method\":\"list\",\(member)}", desk) == nil)
    }

    @Test func aLineWithoutItsLineFeedHasNoReply() {
        var (kept, output) = (KeptReplies(), OutputQueue())
        let length = kept.answer(Array(Self.line.utf8).span, output: &output) { _, _ in [UInt8(ascii: "}")] }
        #expect(length == 0)
        #expect(output.isEmpty)
    }
}
