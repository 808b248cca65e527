import PromoCore
import PromoWire
import Testing

/// A reply that is kept has the same bytes as one that is newly made.
struct KeptRepliesTests {
    private static let line = #"{"jsonrpc":"2.0","id":7,"method":"list","params":{"host":"finebill","language":"ko"}}"#

    private var kept = KeptReplies()
    private var made = 0

    private mutating func rest(_ line: String, _ desk: Desk, serial: Int = 1) throws -> String? {
        let bytes = Array((line + "\n").utf8)
        let rest = try bytes.withUnsafeBytes { bytes in
            kept.rest(for: try #require(CommonList(bytes)), on: bytes, serial: serial, now: desk.now) {
                made += 1
                return desk.responder.keptList($0, snapshot: desk.snapshot, now: desk.now)
            }
        }
        return rest.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        line, #"{"id":7,"method":"list"}"#, #"{"id":7,"method":"list","host":"nobody","limit":2}"#,
        #"{"id":7,"method":"list","language":"*"}"#, #"{"id":7,"method":"list","language":"?"}"#,
    ])
    func aKeptReplyHasTheBytesOfANewOne(line: String) throws {
        var test = self
        let desk = try Desk.serving()
        let general = String(decoding: try desk.ask(line).bytes, as: UTF8.self) + "\n"
        for _ in 0..<3 {
            #expect(try #"{"jsonrpc":"2.0","id":7"# + (test.rest(line, desk) ?? "") == general)
        }
        #expect(test.made == 1)
    }

    @Test func aPublicationInvalidatesIt() throws {
        var test = self
        let desk = try Desk.serving()
        _ = try test.rest(Self.line, desk)
        _ = try test.rest(Self.line, desk, serial: 2)
        #expect(test.made == 2)
    }

    @Test func theExpiryAndAClockSetBackInvalidateIt() throws {
        var test = self
        var desk = try Desk.serving(fetchedAt: .start - .hours(1))
        #expect(try test.rest(Self.line, desk) != nil)
        desk.now = .start + .hours(23) - .milliseconds(1)
        #expect(try test.rest(Self.line, desk) != nil)
        #expect(test.made == 1)
        desk.now = .start + .hours(23)
        #expect(try test.rest(Self.line, desk) == nil)
        desk.now = .start - .hours(1) - .milliseconds(1)
        #expect(try test.rest(Self.line, desk) == nil)
    }

    @Test func onlyRepliesFromAFreshCatalogAreKept() throws {
        var test = self
        for desk in [Desk.empty(), .loading(), try .serving(fetchedAt: .start - .days(2))] {
            #expect(try test.rest(Self.line, desk) == nil)
        }
        var busy = try Desk.serving()
        busy.snapshot.busy = RequestError(.busy, "No.")
        #expect(try test.rest(Self.line, busy) == nil)
    }

    @Test func tenThousandHostsGetTheirOwnReplies() throws {
        var test = self
        let desk = try Desk.serving()
        for host in ["finebill", "bookary", "x"] {
            for number in 0..<10_000 {
                _ = try test.rest("{\"method\":\"list\",\"host\":\"h\(number)\"}", desk)
            }
            let line = "{\"method\":\"list\",\"id\":7,\"host\":\"\(host)\"}"
            let general = String(decoding: try desk.ask(line).bytes, as: UTF8.self) + "\n"
            #expect(try #"{"jsonrpc":"2.0","id":7"# + (test.rest(line, desk) ?? "") == general)
        }
    }
}
