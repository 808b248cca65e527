import PromoCore
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

    @Test func allRepliesTogetherTakeAtMostFourMebibytes() {
        var kept = KeptReplies()
        #expect(Self.made(&kept, 0..<60, length: 65_536) == 60)
        #expect(Self.made(&kept, (0..<60).reversed(), length: 65_536) <= 2)
        #expect(Self.made(&kept, 200..<260, length: 65_537) == 60)
        #expect(Self.made(&kept, 200..<260, length: 65_537) == 60)
        #expect(Self.made(&kept, 100..<164, length: 65_536) == 64)
        #expect(Self.made(&kept, (100..<164).reversed(), length: 65_536) >= 3)
    }

    @Test func onlyRepliesFromAFreshCatalogAreKept() throws {
        var test = self
        for desk in [Desk.empty(), .loading(), try .serving(fetchedAt: .start - .days(2))] {
            #expect(test.reply(Self.line, desk) == nil)
        }
    }

    @Test func tenThousandHostsGetTheirOwnReplies() throws {
        var test = self
        let desk = try Desk.serving()
        for host in ["finebill", "bookary", "x"] {
            for number in 0..<10_000 {
                _ = test.reply("{\"method\":\"list\",\"host\":\"h\(number)\"}", desk)
            }
            let line = "{\"method\":\"list\",\"id\":7,\"host\":\"\(host)\"}"
            let general = String(decoding: try desk.ask(line).bytes, as: UTF8.self) + "\n"
            #expect(test.reply(line, desk) == general)
        }
    }

    /// Lines that differ in a byte or two, so that many have the template of another.
    @Test(arguments: 1...8)
    func onMutatedLinesAKeptReplyIsTheGeneralOne(seed: UInt64) throws {
        var test = self
        var generator = SeededGenerator(seed: seed)
        let desk = try Desk.serving()
        let lines = [
            #"{"jsonrpc":"2.0","id":7,"method":"list"}"#,
            #"{"jsonrpc":"2.0","id":12,"method":"list","params":{"host":"x","limit":2}}"#,
            #"{"jsonrpc":"2.0","id":"7","method":"list","params":{"language":"ko"}}"#, #"{"method":"list","id":7}"#,
        ]
        let alphabet = Array(#"{}[]":,0123456789ex-+. "#.utf8)
        for _ in 0..<1500 {
            var line = Array((lines.randomElement(using: &generator) ?? "").utf8)
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                let place = Int.random(in: 0..<line.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: line.remove(at: place)
                case 1: line.insert(alphabet.randomElement(using: &generator) ?? 0, at: place)
                default: line[place] = alphabet.randomElement(using: &generator) ?? 0
                }
            }
            let text = String(decoding: line, as: UTF8.self)
            guard let reply = test.reply(text, desk) else { continue }
            #expect(reply == String(decoding: try desk.ask(text).bytes, as: UTF8.self) + "\n", "\(text)")
        }
    }

    @Test(arguments: [
        #""wait":true"#, #""icons":true"#,
        #""id":null,"id":7"#,
        #""id":7.0"#,
        #""id":"a\u0062""#, #""id":1234567890"#, #""app":"\"list\"""#,
    ])
    func whatDependsOnMoreOrHasAnUncommonIDIsNotKept(member: String) throws {
        var test = self
        let desk = try Desk.serving()
        #expect(test.reply("{\"method\":\"list\",\(member)}", desk) == nil)
    }

    @Test func aLineWithoutItsLineFeedHasNoReply() throws {
        var test = self
        let desk = try Desk.serving()
        _ = test.reply(Self.line, desk)
        let bytes = Array(Self.line.utf8)
        var output = OutputQueue()
        let length = test.kept.answer(bytes.span, output: &output) { _, _ in nil }
        #expect(length == 0 && output.isEmpty)
    }
}
