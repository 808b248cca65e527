import Foundation
import PromoTestSupport
import Testing

/// What `status`, `check`, `metrics` and `doctor` say in the same situation, each with its exit code.
struct PromoctlSituationTests {
    enum Situation: CaseIterable {
        case absent, unconfigured, sample, fresh, refused, untrusted, unavailable, pause, brokenConfiguration,
            brokenCatalogFile, several
    }

    /// What a command prints and its exit code. In the output stand `DIR`, `PORT`, `TIME` and `DIGITS` for what differs each time; of metrics
    /// there are the state of catalogs and the problems alone, without `user`.
    private typealias Expectation = (command: String, code: Int32, output: String)

    /// A situation, and what has to be kept while it lasts.
    private final class Stage {
        let scratch: ScratchDirectory
        let origin: NginxOrigin
        private(set) var daemon: DaemonUnderTest?

        init(_ situation: Situation) throws {
            scratch = try ScratchDirectory()
            origin = try NginxOrigin(
                locations: "location = /busy.json { return 503; } "
                    + "location = /pause.json { add_header Retry-After 3600 always; return 503; }")
            let url = "https://localhost:\(origin.port)"
            switch situation {
            case .absent: return
            case .unconfigured: break
            case .sample: try configure("default", "sample", caFile: false)
            case .fresh: try configure("default", origin.url)
            case .refused:
                try configure("default", origin.url)
                origin.stop()
            case .untrusted: try configure("default", origin.url, caFile: false)
            case .unavailable: try configure("default", url + "/busy.json")
            case .pause: try configure("default", url + "/pause.json")
            case .brokenConfiguration, .brokenCatalogFile: try configure("default", origin.url)
            case .several:
                try configure("default", origin.url)
                try configure("acme", url + "/catalog.json?acme")
                try configure("zed", url + "/busy.json")
            }
            if situation == .brokenCatalogFile {
                try scratch.write("config/promod/catalogs.d/acme.toml", "url = 5\n")
            }
            let daemon = try DaemonUnderTest(in: scratch, catalog: nil)
            self.daemon = daemon
            if situation == .brokenConfiguration {
                try scratch.write("config/promod/config.toml", "[review]\nmin-completions = \"many\"\n")
                #expect(try daemon.ask(#"{"method":"reload"}"#).reason == "bad-configuration")
            }
            guard situation != .unconfigured, situation != .sample else { return }
            let hasEnded = try comes {
                let catalogs = try daemon.ask(#"{"method":"status"}"#).result["catalogs"] as? [[String: Any]] ?? []
                return catalogs.allSatisfy { $0["url"] is NSNull || $0["lastOutcome"] is String }
            }
            guard hasEnded else { throw TestFailure("the first fetches do not end") }
        }

        private func configure(_ name: String, _ url: String, caFile: Bool = true) throws {
            let trust = caFile ? "ca-file = \"\(origin.caFile)\"\n" : ""
            try scratch.write("config/promod/catalogs.d/\(name).toml", "url = \"\(url)\"\n\(trust)")
        }

        /// Runs a command in a network namespace of its own, in which no other promod is seen, and makes its output comparable.
        func run(_ command: String) throws -> Ran {
            let arguments = command.split(separator: " ").map(String.init)
            let promoctl = PromoctlUnderTest(in: scratch)
            guard daemon == nil else { return try promoctl.run(arguments) }
            return Ran(
                try ChildProcess.run(
                    ["/usr/bin/unshare", "--map-root-user", "--net", PromoctlUnderTest.binary] + arguments,
                    environment: promoctl.environment))
        }

        func comparable(_ text: String, of command: String) -> String {
            var text = text.replacing(scratch.path, with: "DIR").replacing(":\(origin.port)", with: ":PORT")
            for (pattern, word) in [(shortTime, "TIME"), ("[0-9a-f]{16}", "DIGITS"), ("user=\"[^\"]*\",?", "")] {
                text = text.replacingOccurrences(of: pattern, with: word, options: .regularExpression)
            }
            guard command == "metrics" else { return text }
            let families = ["promod_up", "promod_catalog_state", "promod_problem"]
            return text.split(separator: "\n").filter { line in families.contains { line.hasPrefix($0) } }
                .map { $0 + "\n" }.joined()
        }
    }

    @Test(arguments: Situation.allCases) func eachCommandSaysTheSame(situation: Situation) throws {
        let stage = try Stage(situation)
        if situation == .absent, !DaemonUnderTest.canMount { return }
        for (command, code, output) in Self.expectations(situation) {
            let ran = try stage.run(command)
            let printed = stage.comparable(ran.output, of: command)
            #expect(printed == output, "\(command):\n\(printed)")
            #expect(ran.code == code, "\(command): \(ran)")
        }
    }

    // MARK: The table

    private static let unconfigured =
        "No catalog is configured. Begin with \"promoctl setup https://…\" (your catalog's address), or with "
        + "\"promoctl setup --sample\" to look around.\n"
    private static let good = "Nothing is wrong.\n"

    private static func expectations(_ situation: Situation) -> [Expectation] {
        switch situation {
        case .absent:
            [
                ("status", 69, ""), ("check", 69, ""), ("metrics", 69, "promod_up{} 0\n"),
            ]
        case .unconfigured:
            [
                ("status", 0, unconfigured), ("check", 1, "STALE: " + unconfigured), ("metrics", 0, "promod_up{} 1\n"),
                ("doctor", 1, unconfigured),
            ]
        case .sample:
            [
                (
                    "status", 0,
                    """
                    NAME     STATE   APPS  AGE  NEXT
                    default  sample  5     -    -
                    This is the sample. Set your own catalog with: promoctl setup https://example.com/catalog.json

                    """
                ), ("check", 1, "STALE: No catalog has an address.\n"),
                ("metrics", 0, "promod_up{} 1\n" + states("sample")),
                ("doctor", 0, good),
            ]
        case .fresh:
            [
                (
                    "status", 0,
                    """
                    NAME     STATE  APPS  AGE       NEXT
                    default  fresh  5     a moment  TIME
                    promod asks again on TIME, before the list expires.

                    """
                ), ("check", 0, "OK: 5 apps fetched a moment ago.\n"),
                ("metrics", 0, "promod_up{} 1\n" + states("fresh")),
                ("doctor", 0, good),
                (
                    "doctor --verbose", 0,
                    """
                    Nothing is wrong.
                    Good: promod answers at DIR/run/promod/promod.sock (XDG_RUNTIME_DIR).
                    Good: default: 5 apps, fetched now.

                    """
                ),
            ]
        case .refused:
            failure(
                "connect", "Cannot connect to localhost:PORT: Connection refused.",
                "Check whether this machine is online, and whether the origin runs.")
        case .untrusted:
            failure(
                "untrusted",
                "The certificate of localhost:PORT is not trusted: unable to get local issuer certificate.",
                "If this network has a sign-in page, as in a hotel, open a browser and sign in. Otherwise ask the publisher "
                    + "which authority signs the certificate; a private one of your own belongs in \"ca-file\".")
        case .unavailable:
            failure(
                "unavailable", "https://localhost:PORT/busy.json answers 503 Service Temporarily Unavailable.",
                "Wait: the origin is overloaded or out of order.")
        case .pause:
            [
                (
                    "status", 0,
                    """
                    default: https://localhost:PORT/pause.json answers 503 Service Temporarily Unavailable.
                      Wait: the origin is overloaded or out of order.

                    NAME     STATE  APPS  AGE  NEXT
                    default  empty  -     -    TIME
                    promod asks again not before TIME, because the origin asked to wait.

                    """
                )
            ]
        case .brokenConfiguration:
            [
                (
                    "status", 0,
                    """
                    DIR/config/promod/config.toml:2: review.min-completions takes a whole number from 0 to 1000000.
                      Fix the file if it is broken, and then: promoctl reload

                    NAME     STATE  APPS  AGE       NEXT
                    default  fresh  5     a moment  TIME
                    promod asks again on TIME, before the list expires.

                    """
                ),
                (
                    "check", 2,
                    "BROKEN: DIR/config/promod/config.toml:2: review.min-completions takes a whole number from 0 to 1000000.\n"
                ),
                ("metrics", 0, "promod_up{} 1\npromod_problem{code=\"configuration\"} 1\n" + states("fresh")),
                (
                    "doctor", 1,
                    """
                    DIR/config/promod/config.toml:2: review.min-completions takes a whole number from 0 to 1000000.
                      Fix the file if it is broken, and then: promoctl reload

                    """
                ),
            ]
        case .brokenCatalogFile:
            [
                (
                    "status", 0,
                    """
                    acme: DIR/config/promod/catalogs.d/acme.toml:1: url takes an https address with a host, such as \
                    "https://example.com/catalog.json".
                      Fix the file; promod reads it again by itself.

                    NAME     STATE  APPS  AGE       NEXT
                    default  fresh  5     a moment  TIME
                    acme     empty  -     -         -
                    default: promod asks again on TIME, before the list expires.

                    """
                ),
                (
                    "check", 2,
                    "BROKEN: acme: DIR/config/promod/catalogs.d/acme.toml:1: url takes an https address with a host, such as "
                        + "\"https://example.com/catalog.json\".\n"
                ), ("check --catalog default", 0, "OK: 5 apps fetched a moment ago.\n"),
                (
                    "status --catalog default", 0,
                    """
                    NAME     STATE  APPS  AGE       NEXT
                    default  fresh  5     a moment  TIME
                    promod asks again on TIME, before the list expires.

                    """
                ),
            ]
        case .several:
            [
                (
                    "status", 0,
                    """
                    zed: https://localhost:PORT/busy.json answers 503 Service Temporarily Unavailable.
                      Wait: the origin is overloaded or out of order.

                    NAME     STATE  APPS  AGE       NEXT
                    default  fresh  5     a moment  TIME
                    acme     fresh  5     a moment  TIME
                    zed      empty  -     -         TIME
                    default: promod asks again on TIME, before the list expires.

                    """
                ),
                (
                    "check", 1,
                    "STALE: zed was never fetched. https://localhost:PORT/busy.json answers 503 Service Temporarily Unavailable.\n"
                ), ("check --catalog acme", 0, "OK: 5 apps fetched a moment ago.\n"),
                (
                    "metrics", 0,
                    "promod_up{} 1\npromod_problem{code=\"unavailable\",catalog=\"zed\"} 1\n"
                        + states("fresh", acme: "fresh", zed: "empty")
                ),
            ]
        }
    }

    private static func states(_ first: String, acme: String? = nil, zed: String? = nil) -> String {
        [("default", first), ("acme", acme), ("zed", zed)].map { name, state in
            state.map { "promod_catalog_state{catalog=\"\(name)\",state=\"\($0)\"} 1\n" } ?? ""
        }.joined()
    }

    /// The only catalog could never be fetched.
    private static func failure(_ code: String, _ text: String, _ advice: String) -> [Expectation] {
        let problem = "default: \(text)\n  \(advice)\n"
        let table = "NAME     STATE  APPS  AGE  NEXT\ndefault  empty  -     -    TIME\n"
        return [
            ("status", 0, "\(problem)\n\(table)promod asks again on TIME, because the last attempt failed.\n"),
            ("check", 1, "STALE: default was never fetched. \(text)\n"),
            (
                "metrics", 0,
                "promod_up{} 1\npromod_problem{code=\"\(code)\",catalog=\"default\"} 1\n" + states("empty")
            ), ("doctor", 1, problem), ("doctor --verbose", 1, problem + Self.listening),
        ]
    }

    private static let listening = "Good: promod answers at DIR/run/promod/promod.sock (XDG_RUNTIME_DIR).\n"
}
