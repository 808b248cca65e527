import PromoCore
import PromoWire
import Testing

/// The lines that subscribers read, byte for byte.
struct EventLineTests {
    private static let lines: [(Event, String)] = [
        (.tap(app: "a", host: "b"), #""event":"tap","catalog":"default","app":"a","host":"b""#),
        (
            .tap(app: "a", host: nil, catalog: "acme", isSample: true),
            #""event":"tap","catalog":"acme","app":"a","host":null,"source":"sample""#
        ),
        (
            .impression(app: "a", host: "\"\n"),
            #""event":"impression","catalog":"default","app":"a","host":"\"\n""#
        ),
        (
            .catalog(state: .expired, generation: "5e3a"),
            #""event":"catalog","catalog":"default","state":"expired","generation":"5e3a""#
        ),
        (
            .catalog(state: .empty, generation: nil),
            #""event":"catalog","catalog":"default","state":"empty","generation":null"#
        ),
        (.icons(stored: 2), #""event":"icons","catalog":"default","stored":2"#),
    ]

    @Test(arguments: lines)
    func anEventIsALineOfTheProtocol(event: Event, members: String) {
        var log = EventLog.taps(41)
        log.append(event, at: .start + .milliseconds(999))
        let head = #"{"jsonrpc":"2.0","method":"event","params":{"seq":42,"at":"2027-01-15T08:00:00Z","#
        #expect(log.text(42) == "\(head)\(members)}}\n")
    }

    @Test func theLaggedLineHasTheLastNumberSent() {
        let line = #"{"jsonrpc":"2.0","method":"event","params":{"seq":41,"event":"lagged"}}"# + "\n"
        #expect(String(decoding: Event.laggedLine(sent: 41), as: UTF8.self) == line)
    }
}
