import Foundation
import Logging
@testable import PromoDaemon
import Testing

/// The events of the journal, and systemd/promod.catalog, which explains them.
struct JournalEventTests {
    /// The texts of the message catalog, with their ids.
    private static func entries() throws -> [(id: String, text: String)] {
        try UnitFile("promod.catalog").lines.joined(separator: "\n").components(separatedBy: "\n-- ").dropFirst().map {
            (String($0.prefix(32)), String($0.dropFirst(32)))
        }
    }

    @Test func theMessageCatalogExplainsTheEventsThatSomebodyMayHaveToActOnAndNoOthers() throws {
        let ids = Set(JournalEvent.allCases.compactMap(\.messageID))
        #expect(try Self.entries().map(\.id).sorted() == ids.sorted())
        for event in JournalEvent.allCases where event.level >= .notice { #expect(event.messageID != nil, "\(event)") }
        for id in ids { #expect(id.wholeMatch(of: /[0-9a-f]{32}/) != nil, "\(id)") }
    }

    /// If a record lacks a variable, people would see its name between @ signs.
    @Test func anExplanationHasItsHeadersAndNamesOnlyFieldsThatItsRecordsHaveAndKeysThatExist() throws {
        let keys = Set(ConfigurationKeys.daemon.map(\.name) + ["catalog.damaged", "catalog.json"])
        for (id, text) in try Self.entries() {
            for header in ["\nSubject: ", "\nDefined-By: promod\n", "\nDocumentation: man:promo"] {
                #expect(text.contains(header), "\(id)")
            }
            let used = Set(text.matches(of: /@([A-Z_]+)@/).map { String($0.1) })
            for event in JournalEvent.allCases where event.messageID == id {
                #expect(used == Set(event.variables.map(LogRecord.fieldName)), "\(event)")
            }
            for match in text.matches(of: /\b(?:catalog|refresh|retry|review|socket|log)\.[a-z]+(?:-[a-z]+)*/) {
                #expect(keys.contains(String(match.output)), "\(match.output)")
            }
        }
    }

    @Test func aRecordOfAnEventHasItsPriorityItsIDAndItsName() {
        let priorities: [JournalEvent: Int] = [
            .configurationBroken: 3, .refreshFailed: 4, .sampleServed: 5, .started: 6, .fetchStarted: 7,
        ]
        for (event, priority) in priorities {
            let record = LogRecord(
                level: event.level, message: "m", metadata: ["event": "\(event.rawValue)"], file: "f", line: 1,
                function: "g")
            let fields = Dictionary(record.fields.map { ($0.name, $0.value) }) { first, _ in first }
            #expect(fields["PROMOD_EVENT"] == event.rawValue)
            #expect(fields["MESSAGE_ID"] == event.messageID)
            #expect(record.priority == priority)
        }
    }
}
