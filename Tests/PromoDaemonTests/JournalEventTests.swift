import Foundation
import Logging
@testable import PromoDaemon
import Testing

struct JournalEventTests {
    /// An entry of the message catalog, in systemd's catalog format.
    struct Entry {
        var id: String
        var headers: [String: String] = [:]
        /// The paragraphs without the lines of commands.
        var paragraphs: [String] = []
        var commands: [String] = []

        var text: String { paragraphs.joined(separator: "\n\n") }

        static func all() throws -> [Entry] {
            var entries: [Entry] = []
            var isBody = false
            for line in try UnitFile("promod.catalog").lines where !line.hasPrefix("#") {
                if line.hasPrefix("-- ") {
                    entries.append(Entry(id: String(line.dropFirst(3))))
                    isBody = false
                } else if entries.isEmpty {
                    continue
                } else if line.isEmpty {
                    isBody = true
                    entries[entries.count - 1].paragraphs.append("")
                } else if line.hasPrefix("    ") {
                    entries[entries.count - 1].commands.append(String(line.dropFirst(4)))
                } else if isBody {
                    entries[entries.count - 1].paragraphs[entries[entries.count - 1].paragraphs.count - 1] += line + " "
                } else {
                    let parts = line.split(separator: ":", maxSplits: 1)
                    entries[entries.count - 1].headers[String(parts[0])] =
                        parts.dropFirst().first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
                }
            }
            for index in entries.indices { entries[index].paragraphs.removeAll { $0.isEmpty } }
            return entries
        }
    }

    @Test func everyEventThatSomebodyMayHaveToActOnIsExplained() {
        for event in JournalEvent.allCases where event.level >= .notice {
            #expect(event.messageID != nil, "\(event)")
        }
    }

    @Test func theMessageCatalogExplainsTheEventsThatHaveAnIDAndNoOthers() throws {
        let ids = JournalEvent.allCases.compactMap(\.messageID)
        let explained = try Entry.all().map(\.id)
        #expect(Set(explained) == Set(ids))
        #expect(explained.count == Set(ids).count)
        for id in ids { #expect(id.count == 32 && id.allSatisfy { $0.isHexDigit && !$0.isUppercase }) }
    }

    @Test func anExplanationSaysWhatHappenedAndWhatToDo() throws {
        for entry in try Entry.all() {
            #expect(entry.headers["Defined-By"] == "promod")
            #expect(entry.headers["Subject"]?.isEmpty == false)
            #expect(entry.headers["Documentation"]?.contains("man:promod") == true)
            #expect(entry.paragraphs.count >= 2, "\(entry.id)")
        }
        for line in try UnitFile("promod.catalog").lines where !line.hasPrefix("#") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    /// If a record lacks a variable, people would see its name between @ signs.
    @Test func anExplanationNamesOnlyFieldsThatItsRecordsAlwaysHave() throws {
        let variable = /@([A-Z_]+)@/
        for entry in try Entry.all() {
            let used = Set(entry.text.matches(of: variable).map { String($0.1) })
            for event in JournalEvent.allCases where event.messageID == entry.id {
                #expect(used == Set(event.variables.map(LogRecord.fieldName)), "\(event)")
            }
        }
    }

    @Test func theKeysThatAnExplanationNamesAreThoseOfTheConfiguration() throws {
        let key = /\b(?:catalog|refresh|retry|review|socket|log)\.[a-z]+(?:-[a-z]+)*/
        let keys = Set(ConfigurationKeys.daemon.map(\.name))
        let named = try Entry.all().flatMap { $0.text.matches(of: key).map { String($0.output) } }
        #expect(!named.isEmpty)
        for name in named where !["catalog.damaged"].contains(name) { #expect(keys.contains(name), "\(name)") }
    }

    @Test func theCommandsThatAnExplanationGivesExist() throws {
        let commands = try Entry.all().flatMap(\.commands)
        let known = [
            "promoctl setup", "promoctl status", "promoctl refresh", "promoctl reload", "promod validate",
            "promod --print-configuration", "systemctl --user restart promod", "systemctl --user edit promod.service",
            "systemctl status systemd-journald", "df ~/.cache", "ls -l", "sysctl ",
        ]
        for command in commands { #expect(known.contains { command.hasPrefix($0) }, "\(command)") }
    }

    @Test func aRecordOfAnEventHasItsLevelItsIDAndItsName() {
        struct Sink: LogSink {
            let seen: @Sendable (LogRecord) -> Void
            func write(_ record: LogRecord) { seen(record) }
        }
        for event in JournalEvent.allCases {
            let metadata = Logger.Metadata(uniqueKeysWithValues: event.variables.map { ($0, "x") })
            let record = LogRecord(
                level: event.level, message: "m", metadata: metadata.merging(["event": "\(event.rawValue)"]) { $1 },
                file: "f", line: 1, function: "g")
            let fields = Dictionary(record.fields.map { ($0.name, $0.value) }) { first, _ in first }
            #expect(fields["PROMOD_EVENT"] == event.rawValue)
            #expect(fields["MESSAGE_ID"] == event.messageID)
        }
    }

    @Test func levelsAreThePrioritiesOfSyslog() {
        let priorities = [
            JournalEvent.configurationBroken, .refreshFailed, .sampleServed, .started, .fetchStarted,
        ]
        .map { LogRecord(level: $0.level, message: "", metadata: [:], file: "", line: 0, function: "").priority }
        #expect(priorities == [3, 4, 5, 6, 7])
    }
}
