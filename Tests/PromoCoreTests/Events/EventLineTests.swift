import PromoCore
import PromoWire
import Testing

/// The lines that subscribers read, byte for byte.
struct EventLineTests {
    private static let lines: [(Event, String)] = [
        (
            .tap(app: "bookary", host: "finebill"),
            #""event":"tap","catalog":"default","app":"bookary","host":"finebill""#
        ),
        (.tap(app: "bookary", host: nil), #""event":"tap","catalog":"default","app":"bookary","host":null"#),
        (.tap(app: "bookary", host: ""), #""event":"tap","catalog":"default","app":"bookary","host":"""#),
        (
            .impression(app: "stedio", host: "a\"b\n"),
            #""event":"impression","catalog":"default","app":"stedio","host":"a\"b\n""#
        ),
        (
            .catalog(state: .loaded, generation: "5e3a"),
            #""event":"catalog","catalog":"default","state":"loaded","generation":"5e3a""#
        ),
        (
            .catalog(state: .cached, generation: "5e3a"),
            #""event":"catalog","catalog":"default","state":"cached","generation":"5e3a""#
        ),
        (
            .catalog(state: .empty, generation: nil),
            #""event":"catalog","catalog":"default","state":"empty","generation":null"#
        ),
        (
            .catalog(state: .loading, generation: nil),
            #""event":"catalog","catalog":"default","state":"loading","generation":null"#
        ),
        (
            .catalog(state: .loaded, generation: "5e3a"),
            #""event":"catalog","catalog":"default","state":"loaded","generation":"5e3a""#
        ),
    ]

    @Test(arguments: lines)
    func anEventIsALineOfTheProtocol(event: Event, members: String) {
        var log = EventLog.taps(41)
        log.append(event, at: .start + .milliseconds(999))
        let head = #"{"jsonrpc":"2.0","method":"event","params":{"seq":42,"at":"2027-01-15T08:00:00Z","#
        #expect(log.text(42) == "\(head)\(members)}}\n")
    }

    @Test(
        arguments: lines.map(\.0) + [
            .icons(stored: 2), .tap(app: "bookary", host: nil, catalog: "acme", isSample: true),
        ])
    func anEventHasTheShapeThatTheDocumentGives(event: Event) throws {
        var log = EventLog()
        log.append(event, at: .start)
        let line = try #require(log.line(1, for: EventFilter()))
        #expect(try ResultSchema(event: event.kind.rawValue).findings(line: line) == [])
    }

    @Test func theLaggedLineHasTheLastNumberSentAndTheCountOfMissedEvents() throws {
        let bytes = Event.laggedLine(sent: 41)
        #expect(try ResultSchema(event: "lagged").findings(line: bytes) == [])
        let line = String(decoding: bytes, as: UTF8.self)
        #expect(
            line == #"{"jsonrpc":"2.0","method":"event","params":{"seq":41,"event":"lagged"}}"# + "\n")
    }
}
