import Foundation
import PromoTestSupport
import Testing

/// What promoctl prints in many situations, and its exit codes, as a transcript of each.
struct PromoctlTableTests {
    enum Situation: CaseIterable {
        case usage, absent, unconfigured, sample, fresh, launched, refused, untrusted, unavailable, pause,
            expired, brokenConfiguration, brokenCatalogFile, several
    }

    /// A situation, and what has to be kept while it lasts.
    private final class Stage {
        let situation: Situation
        let scratch: ScratchDirectory
        let origin: NginxOrigin
        private(set) var daemon: DaemonUnderTest?

        init(_ situation: Situation) throws {
            self.situation = situation
            scratch = try ScratchDirectory()
            origin = try NginxOrigin(
                locations: "location = /busy.json { return 503; } "
                    + "location = /pause.json { add_header Retry-After 3600 always; return 503; }")
            let url = "https://localhost:\(origin.port)"
            switch situation {
            case .usage, .absent: return
            case .unconfigured: break
            case .sample: try configure("default", "sample", caFile: false)
            case .fresh: try configure("default", origin.url)
            case .launched:
                try configure("default", origin.url)
                try ReviewHistoryFile(scratch: scratch).write(apps: ["bookary"])
            case .refused:
                try configure("default", origin.url)
                origin.stop()
            case .untrusted: try configure("default", origin.url, caFile: false)
            case .unavailable: try configure("default", url + "/busy.json")
            case .pause: try configure("default", url + "/pause.json")
            case .expired, .brokenConfiguration, .brokenCatalogFile: try configure("default", origin.url)
            case .several:
                try configure("default", origin.url)
                try configure("acme", url + "/catalog.json?acme")
                try configure("zed", url + "/busy.json")
            }
            if situation == .expired {
                try scratch.write("config/promod/config.toml", "[refresh]\ninterval = \"1s\"\n")
            }
            if situation == .brokenCatalogFile {
                try scratch.write("config/promod/catalogs.d/acme.toml", "url = 5\n")
            }
            let daemon = try DaemonUnderTest(in: scratch, catalog: nil)
            self.daemon = daemon
            if situation == .brokenConfiguration {
                try scratch.write("config/promod/config.toml", "[review]\nmin-completions = \"many\"\n")
            }
            guard situation != .unconfigured, situation != .sample else { return }
            let hasEnded = try comes {
                try daemon.status().catalogs.allSatisfy { $0["url"] is NSNull || $0["lastOutcome"] is String }
            }
            guard hasEnded else { throw TestFailure("the first fetches do not end") }
            if situation == .expired {
                origin.stop()
                // The next fetch begins before the catalog expires.
                let isExpired = try comes {
                    let catalog = try daemon.catalog()
                    return catalog["lastOutcome"] as? String == "failed" && catalog["state"] as? String == "expired"
                }
                guard isExpired else { throw TestFailure("the catalog does not expire") }
            }
        }

        private func configure(_ name: String, _ url: String, caFile: Bool = true) throws {
            let trust = caFile ? "ca-file = \"\(origin.caFile)\"\n" : ""
            try scratch.write("config/promod/catalogs.d/\(name).toml", "url = \"\(url)\"\n\(trust)")
        }

        /// Runs a command, if need be in a network namespace of its own, in which no other promod is seen.
        private func run(_ command: String) throws -> Ran {
            let arguments = command.split(separator: " ").map(String.init)
            let promoctl = PromoctlUnderTest(in: scratch)
            let isFetched = [.fresh, .refused, .untrusted, .unavailable, .expired].contains(situation)
            if let daemon, isFetched, ["refresh", "doctor"].contains(arguments[0]) {
                return try daemon.fetching { try promoctl.run(arguments) }
            }
            guard situation == .absent else { return try promoctl.run(arguments) }
            let launcher = ["/usr/bin/unshare", "--map-root-user", "--net"]
            return try Ran(launcher + [PromoctlUnderTest.binary] + arguments, promoctl.environment)
        }

        /// The command, with an exit code other than 0, and what it prints, with lines of standard error after an exclamation mark. `DIR`,
        /// `PORT`, `TIME` and `DIGITS` stand for what differs each time; of wrong usage there is the first line, and of metrics the state of
        /// catalogs and the problems, without `user`.
        func transcript(of command: String) throws -> String {
            let ran = try run(command)
            var (lines, errors) = (ran.lines, ran.error.split(separator: "\n").map { "! " + $0 })
            if ran.code == 64, errors.last?.hasPrefix("!   See ") == true { errors = Array(errors.prefix(1)) }
            if command == "metrics" {
                let families = ["promod_up", "promod_catalog_state", "promod_problem"]
                lines.removeAll { line in !families.contains { line.hasPrefix($0) } }
            }
            let code = ran.code == 0 ? "" : " → \(ran.code)"
            var text = (["\(command)\(code)"] + lines + errors).joined(separator: "\n")
            text = text.replacing(scratch.path, with: "DIR").replacing(":\(origin.port)", with: ":PORT")
            let replacements = [
                ("\(shortTime)(:[0-9]{2})?", "TIME"), (#"20[0-9-]{8}T[0-9:]{8}Z"#, "TIME"), ("[0-9a-f]{16}", "DIGITS"),
                ("user=\"[^\"]*\",?", ""),
            ]
            for (pattern, word) in replacements {
                text = text.replacingOccurrences(of: pattern, with: word, options: .regularExpression)
            }
            return text
        }
    }

    /// The transcripts beside this file, each below the name of its situation.
    private static func transcripts() throws -> [String] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "transcripts.txt")
        return ("\n" + (try String(contentsOf: file, encoding: .utf8))).components(separatedBy: "\n== ")
    }

    @Test(arguments: Situation.allCases) func eachCommandPrintsWhatTheTableSays(situation: Situation) throws {
        if situation == .absent, !DaemonUnderTest.canMount { return }
        let stage = try Stage(situation)
        let transcript = try #require(Self.transcripts().first { $0.hasPrefix("\(situation)\n") }?.dropLast(1))
        for expected in transcript.components(separatedBy: "\n$ ").dropFirst() {
            let command = expected.prefix { $0 != "\n" && $0 != "→" }
            let found = try stage.transcript(of: String(command).trimmingCharacters(in: .whitespaces))
            #expect(found == expected, "\(found)")
        }
    }
}
