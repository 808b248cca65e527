import Foundation
import PromoTestSupport
import Testing

/// What promoctl prints in many situations, and its exit codes, as a transcript of each.
struct PromoctlTableTests {
    enum Situation: String, CaseIterable {
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
                try ReviewHistoryFile(scratch: scratch).write(apps: ["bookary"], launchedDaysAgo: 8)
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
                let catalogs = try daemon.ask(#"{"method":"status"}"#).result["catalogs"] as? [[String: Any]] ?? []
                return catalogs.allSatisfy { $0["url"] is NSNull || $0["lastOutcome"] is String }
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
            return Ran(
                try ChildProcess.run(
                    ["/usr/bin/unshare", "--map-root-user", "--net", PromoctlUnderTest.binary] + arguments,
                    environment: promoctl.environment))
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

    @Test(arguments: Situation.allCases) func eachCommandPrintsWhatTheTableSays(situation: Situation) throws {
        if situation == .absent, !DaemonUnderTest.canMount { return }
        let stage = try Stage(situation)
        for expected in ("\n" + Self.table(situation)).components(separatedBy: "\n$ ").dropFirst() {
            let command = expected.prefix { $0 != "\n" && $0 != "→" }
            let found = try stage.transcript(of: String(command).trimmingCharacters(in: .whitespaces))
            #expect(found == expected, "\(found)")
        }
    }

    // MARK: The table

    private static func table(_ situation: Situation) -> String {
        switch situation {
        case .usage:
            #"""
            $ nonsense → 64
            ! Error: There is no subcommand "nonsense". "promoctl help" lists them.
            $ LIST → 64
            ! Error: There is no subcommand "LIST". Did you mean "list"?
            $ hlep → 64
            ! Error: There is no subcommand "hlep". Did you mean "help"?
            $ review all → 64
            ! Error: There is no subcommand "all". "promoctl help review" lists them.
            $ list --catalog Acme → 64
            ! Error: --catalog takes a catalog's name (1 to 64 lowercase ASCII letters, digits and hyphens) or its https address, not "Acme"; in lower case: acme; "promoctl status" lists the catalogs.
            $ help review eligble → 64
            ! Error: There is no subcommand "eligble". Did you mean "eligible"?
            $ validat x → 64
            ! Error: There is no subcommand "validat". Did you mean "validate"?
            $ stamp → 64
            ! Error: There is no subcommand "stamp". Did you mean "tap"?
            $ list --limit 0 → 64
            ! Error: --limit must be 1 or more.
            $ list --lang ko → 64
            ! Error: Unknown option '--lang'
            $ list --bogus → 64
            ! Error: Unknown option '--bogus'
            $ tap → 64
            ! Error: Missing expected argument '<app>'
            $ tap a b → 64
            ! Error: Unexpected argument 'b'
            $ tap bookary --hots → 64
            ! Error: Unknown option '--hots'. Did you mean '--host'?
            $ tap --host → 64
            ! Error: Missing value for '--host <id>'
            $ impression → 64
            ! Error: Missing expected argument '<apps> ...'
            $ clear --ctalog → 64
            ! Error: Unknown option '--ctalog'. Did you mean '--catalog'?
            $ review eligible bookary → 64
            ! Error: Missing expected argument '--completed <count>'
            $ review eligible bookary --completed=-1 → 64
            ! Error: --completed must be 0 or more.
            $ review request bookary --completed many → 64
            ! Error: The value 'many' is invalid for '--completed <count>'
            $ events --since=-1 → 64
            ! Error: --since must be 0 or more.
            $ events clicks → 64
            ! Error: The value 'clicks' is invalid for '<kinds>'. Please provide one of 'impression', 'tap', 'catalog' or 'icons'.
            $ wait --timeout 5 → 64
            ! Error: --timeout takes a duration such as 90s, 5m, 2h, 3d or 1h30m, not "5".
            $ setup → 64
            ! Error: The address of a catalog is missing; --sample serves one to look around.
            $ setup http://example.com/c.json → 64
            ! Error: promod fetches only from https:// URLs. Did you mean https://example.com/c.json?
            $ setup --sample --remove → 64
            ! Error: --remove and --sample exclude each other; give only one.
            $ setup https://example.com/c.json --catalog A → 64
            ! Error: --catalog takes a name of 1 to 64 lowercase ASCII letters, digits and hyphens, such as acme; in lower case: a.
            $ setup --sample --catalog acme → 64
            ! Error: --sample is for the default catalog; leave out --catalog.
            $ setup --remove --proxy direct → 64
            ! Error: --proxy needs an address; --remove takes none.
            $ setup https://example.com/c.json --proxy ftp://proxy → 64
            ! Error: --proxy takes the address of a proxy, such as http://proxy.example:3128, or "direct".
            $ list --limit 0 --json → 64
            ! {"error":{"code":64,"message":"--limit must be 1 or more.","data":{"reason":"usage"}}}
            """#
        case .absent:
            #"""
            $ list → 69
            ! promoctl: promod cannot be reached at DIR/run/promod/promod.sock: no such file or directory. Start it with "systemctl --user restart promod.socket", or with "promod --background".
            $ list --json → 69
            ! {"error":{"code":69,"message":"promod cannot be reached at DIR/run/promod/promod.sock: no such file or directory. Start it with \"systemctl --user restart promod.socket\", or with \"promod --background\".","data":{"reason":"unreachable"}}}
            $ metrics → 69
            promod_up{} 0
            ! promoctl: promod cannot be reached at DIR/run/promod/promod.sock: no such file or directory. Start it with "systemctl --user restart promod.socket", or with "promod --background".
            $ wait --timeout 200ms → 75
            ! promoctl: No catalog within 200ms. promod cannot be reached at DIR/run/promod/promod.sock: no such file or directory. Start it with "systemctl --user restart promod.socket", or with "promod --background".
            """#
        case .unconfigured:
            #"""
            $ status
            No catalog is configured. Begin with "promoctl setup https://…" (your catalog's address), or with "promoctl setup --sample" to look around.
            $ check → 1
            STALE: No catalog is configured. Begin with "promoctl setup https://…" (your catalog's address), or with "promoctl setup --sample" to look around.
            $ metrics
            promod_up{} 1
            $ doctor → 1
            No catalog is configured. Begin with "promoctl setup https://…" (your catalog's address), or with "promoctl setup --sample" to look around.
            $ list → 1
            ! promoctl: No catalog is configured. Begin with "promoctl setup https://…" (your catalog's address), or with "promoctl setup --sample" to look around.
            $ tap bookary → 65
            ! promoctl: No catalog is configured. Begin with "promoctl setup https://…" (your catalog's address), or with "promoctl setup --sample" to look around.
            $ refresh → 65
            ! promoctl: No catalog is configured. Begin with "promoctl setup https://…" (your catalog's address), or with "promoctl setup --sample" to look around.
            $ clear
            No catalog is configured. Begin with "promoctl setup https://…" (your catalog's address), or with "promoctl setup --sample" to look around.
            """#
        case .sample:
            #"""
            $ list
            [FB] FineBill  Finance       Every bill, paid on time
            [Bo] Bookary   Reading       A diary for the books you read
            [FP] FinePomo  Productivity  Focus, one tomato at a time
            [St] Stedio    Education     Your steady study studio
            [Li] Littory   Lifestyle     Little stories, kept
            ! These apps are made up, to show what this list looks like.
            $ list --host finebill
            [Bo] Bookary   Reading       A diary for the books you read
            [FP] FinePomo  Productivity  Focus, one tomato at a time
            ! These apps are made up, to show what this list looks like.
            $ list --host littory
            ! There are no other apps to show.
            ! These apps are made up, to show what this list looks like.
            $ list --host finbil --limit 1
            [FB] FineBill  Finance  Every bill, paid on time
            ! promoctl: No app in the catalog "default" has the id "finbil"; "list" shows those that are there. No rule limits the list.
            ! These apps are made up, to show what this list looks like.
            $ list --limit 1 --language ko
            [FB] FineBill  Finance  모든 청구서를 제때에
            ! 목록을 미리 보여 주기 위한 가상의 앱이에요.
            $ list --limit 1 --language * --json
            {"state":"fresh","source":"sample","generation":"DIGITS","fetchedAt":null,"expiresAt":null,"canRetry":false,"retryAt":null,"hostKnown":true,"language":null,"apps":[{"id":"finebill","name":"FineBill","appStoreID":"6470000001","iconURL":"https://example.com/?icon=finebill","category":"Finance","tagline":{"en":"Every bill, paid on time","ko":"모든 청구서를 제때에","ja":"すべての請求を期日どおりに"},"storeURL":"https://example.com/?app=finebill","placeholder":{"initials":"FB","color":"#005f87"}}]}
            $ list --host finebill --language ko --limit 1 --json
            {"state":"fresh","source":"sample","generation":"DIGITS","fetchedAt":null,"expiresAt":null,"canRetry":false,"retryAt":null,"hostKnown":true,"language":"ko","apps":[{"id":"bookary","name":"Bookary","appStoreID":"6470000002","iconURL":"https://example.com/?icon=bookary","category":"Reading","tagline":"읽은 책을 위한 다이어리","storeURL":"https://example.com/?app=bookary","placeholder":{"initials":"Bo","color":"#af5f00"}}]}
            $ tap bookary --host finebill
            https://example.com/?app=bookary
            $ tap bookary --json
            {"app":"bookary","appStoreID":"6470000002","presentation":"store","storeURL":"https://example.com/?app=bookary"}
            $ tap ghost → 65
            ! promoctl: No app in the catalog "default" has the id "ghost"; "list" shows those that are there.
            $ tap ghost --json → 65
            ! {"error":{"code":-32001,"message":"No app in the catalog \"default\" has the id \"ghost\"; \"list\" shows those that are there.","data":{"reason":"unknown-app"}}}
            $ impression bookary
            1 impression reported.
            $ impression stedio littory --host finebill
            2 impressions reported.
            $ impression stedio --json
            {"emitted":1}
            $ impression bookary ghost → 65
            ! promoctl: No app in the catalog "default" has the id "ghost"; "list" shows those that are there.
            $ launch fittoday
            The first launch of fittoday is recorded: TIME, a moment ago.
            $ launch fittoday
            fittoday was first launched before: TIME, a moment ago.
            $ launch fittoday --json
            {"app":"fittoday","firstLaunch":"TIME","recorded":false}
            $ launch Fit_Today → 65
            ! promoctl: "app" of launch must be a string of 1 to 255 lowercase ASCII letters, digits and hyphens (an app's id).
            $ review eligible bookary --completed 1 → 1
            bookary may not ask for a review yet: it was never launched, too few successes were completed (1 of 3). Run "promoctl launch bookary" whenever it starts.
            $ review request bookary --completed 1 → 1
            ! promoctl: bookary may not ask for a review yet: it was never launched, too few successes were completed (1 of 3). Run "promoctl launch bookary" whenever it starts.
            $ review request fittoday --completed 3 → 1
            ! promoctl: fittoday may not ask for a review yet: its first launch is too recent, its review page is not known. Try again on TIME, in 7 days. Give the page's address with --page, or the app's number in the App Store with --app-store-id.
            $ review request fittoday --completed 3 --app-store-id 7 → 1
            ! promoctl: fittoday may not ask for a review yet: its first launch is too recent. Try again on TIME, in 7 days.
            $ review request fittoday --completed 2 --app-store-id 7 --json → 1
            {"app":"fittoday","granted":false,"reasons":["too-few-completions","too-soon-after-first-launch"],"eligibleAt":"TIME","reviewURL":null,"completionsNeeded":3}
            $ review reset fittoday
            Review history of fittoday deleted. Its waiting times begin with its next launch.
            $ review reset fittoday
            fittoday has no review history.
            $ refresh → 65
            ! promoctl: The sample needs no refresh; "promoctl setup https://…" sets the address of your catalog.
            $ clear --json
            {"cleared":true}
            $ reload
            The configuration is in force.
            $ reload --json
            {"reloaded":true}
            $ wait
            $ status --catalog none → 65
            ! promoctl: No catalog with the name "none" is configured; these are: default. An app's package adds one with the file /usr/share/promod/catalogs.d/none.toml, a person with: promoctl setup https://… --catalog none
            $ status
            NAME     STATE           APPS  AGE  NEXT
            default  fresh (sample)  5     -    -
            This is the sample. Set your own catalog with: promoctl setup https://example.com/catalog.json
            $ check → 1
            STALE: No catalog has an address.
            $ metrics
            promod_up{} 1
            promod_catalog_state{catalog="default",state="fresh",source="sample"} 1
            $ doctor
            Nothing is wrong.
            """#
        case .fresh:
            #"""
            $ status
            NAME     STATE  APPS  AGE       NEXT
            default  fresh  5     a moment  TIME
            default: https://localhost:PORT/catalog.json
              set in DIR/config/promod/catalogs.d/default.toml
            $ check
            OK: 5 apps fetched a moment ago.
            $ metrics
            promod_up{} 1
            promod_catalog_state{catalog="default",state="fresh",source="origin"} 1
            $ doctor
            Nothing is wrong.
            $ doctor --verbose
            Nothing is wrong.
            Good: promod answers at DIR/run/promod/promod.sock (XDG_RUNTIME_DIR).
            Good: default: 5 apps of https://localhost:PORT/catalog.json, fetched now.
            $ list --limit 1
            [FB] FineBill  Finance  Every bill, paid on time
            """#
        case .launched:
            #"""
            $ review eligible bookary --completed 3
            bookary may ask for a review now.
            $ review eligible bookary --completed 3 --json
            {"app":"bookary","eligible":true,"reasons":[],"eligibleAt":null}
            $ review request bookary --completed 3
            https://example.com/?app=bookary
            $ review request bookary --completed 3 → 1
            ! promoctl: bookary may not ask for a review yet: the last request is too recent. Try again on TIME, in 30 days.
            $ review request bookary --completed 3 --json → 1
            {"app":"bookary","granted":false,"reasons":["too-soon-after-last-request"],"eligibleAt":"TIME","reviewURL":null}
            """#
        case .refused:
            #"""
            $ status
            default: Cannot connect to localhost:PORT: Connection refused.
              Check whether this machine is online, and whether the origin runs.

            NAME     STATE  APPS  AGE  NEXT
            default  empty  -     -    TIME
            default: https://localhost:PORT/catalog.json
              set in DIR/config/promod/catalogs.d/default.toml
            $ check → 1
            STALE: default was never fetched. Cannot connect to localhost:PORT: Connection refused.
            $ metrics
            promod_up{} 1
            promod_problem{code="connect",catalog="default"} 1
            promod_catalog_state{catalog="default",state="empty",source="none"} 1
            $ doctor → 1
            default: Cannot connect to localhost:PORT: Connection refused.
              Check whether this machine is online, and whether the origin runs.
            $ doctor --verbose → 1
            default: Cannot connect to localhost:PORT: Connection refused.
              Check whether this machine is online, and whether the origin runs.
            Good: promod answers at DIR/run/promod/promod.sock (XDG_RUNTIME_DIR).
            $ list → 75
            ! promoctl: There is no catalog. Cannot connect to localhost:PORT: Connection refused. promod tries again at TIME; to try now: promoctl refresh
            $ tap bookary → 75
            ! promoctl: There is no catalog yet; "status" reports why, and when promod tries again to fetch one.
            $ refresh → 75
            ! promoctl: The refresh failed. Cannot connect to localhost:PORT: Connection refused. promod tries again at TIME. Check whether this machine is online, and whether the origin runs.
            $ wait --timeout 100ms --json → 75
            ! {"error":{"code":75,"message":"No catalog within 100ms. promod is running and has nothing to serve yet (empty); \"promoctl status\" says why.","data":{"reason":"try-later"}}}
            """#
        case .untrusted:
            #"""
            $ status
            default: The certificate of localhost:PORT is not trusted: unable to get local issuer certificate.
              If this network has a sign-in page, as in a hotel, open a browser and sign in. Otherwise ask the publisher which authority signs the certificate; a private one of your own is set by "ca-file" in DIR/config/promod/catalogs.d/default.toml.

            NAME     STATE  APPS  AGE  NEXT
            default  empty  -     -    TIME
            default: https://localhost:PORT/catalog.json
              set in DIR/config/promod/catalogs.d/default.toml
            $ check → 1
            STALE: default was never fetched. The certificate of localhost:PORT is not trusted: unable to get local issuer certificate.
            """#
        case .unavailable:
            #"""
            $ status
            default: https://localhost:PORT/busy.json answers 503 Service Temporarily Unavailable.
              Wait: the origin is overloaded or out of order.

            NAME     STATE  APPS  AGE  NEXT
            default  empty  -     -    TIME
            default: https://localhost:PORT/busy.json
              set in DIR/config/promod/catalogs.d/default.toml
            $ check → 1
            STALE: default was never fetched. https://localhost:PORT/busy.json answers 503 Service Temporarily Unavailable.
            $ doctor → 1
            default: https://localhost:PORT/busy.json answers 503 Service Temporarily Unavailable.
              Wait: the origin is overloaded or out of order.
            """#
        case .pause:
            #"""
            $ status
            default: https://localhost:PORT/pause.json answers 503 Service Temporarily Unavailable.
              Wait: the origin is overloaded or out of order.

            NAME     STATE  APPS  AGE  NEXT
            default  empty  -     -    TIME
            default: https://localhost:PORT/pause.json
              set in DIR/config/promod/catalogs.d/default.toml
              the origin asked promod to wait
            $ list → 75
            ! promoctl: There is no catalog. https://localhost:PORT/pause.json answers 503 Service Temporarily Unavailable. promod tries again at TIME; to try now: promoctl refresh
            """#
        case .expired:
            #"""
            $ list --limit 1
            [FB] FineBill  Finance  Every bill, paid on time
            ! This list is from TIME and may be out of date.
            $ list --limit 1 --json
            {"state":"expired","source":"origin","generation":"DIGITS","fetchedAt":"TIME","expiresAt":"TIME","canRetry":false,"retryAt":null,"hostKnown":true,"language":"en","apps":[{"id":"finebill","name":"FineBill","appStoreID":"6470000001","iconURL":"https://example.com/?icon=finebill","category":"Finance","tagline":"Every bill, paid on time","storeURL":"https://example.com/?app=finebill","placeholder":{"initials":"FB","color":"#005f87"}}],"error":{"code":"connect","message":"Cannot connect to localhost:PORT: Connection refused."}}
            $ status
            default: Cannot connect to localhost:PORT: Connection refused.
              Check whether this machine is online, and whether the origin runs.

            NAME     STATE    APPS  AGE       NEXT
            default  expired  5     a moment  TIME
            default: https://localhost:PORT/catalog.json
              set in DIR/config/promod/catalogs.d/default.toml
            $ check
            OK: 5 apps fetched a moment ago.
            $ doctor → 1
            default: Cannot connect to localhost:PORT: Connection refused.
              Check whether this machine is online, and whether the origin runs.
            $ refresh → 75
            ! promoctl: The refresh failed. Cannot connect to localhost:PORT: Connection refused. The old catalog is kept. promod tries again at TIME. Check whether this machine is online, and whether the origin runs.
            $ refresh --json → 75
            {"outcome":"failed","generation":"DIGITS","error":{"code":"connect","message":"Cannot connect to localhost:PORT: Connection refused."},"retryAt":"TIME"}
            $ clear → 64
            ! promoctl: The last fetch failed, so this removes the only copy of the catalog default (5 apps). Without a terminal, this needs --yes. Nothing was cleared.
            $ clear --json → 64
            ! {"error":{"code":-32010,"message":"The last fetch failed, so this removes the only copy of the catalog default (5 apps). Without a terminal, this needs --yes. Nothing was cleared.","data":{"reason":"only-copy"}}}
            """#
        case .brokenConfiguration:
            #"""
            $ reload → 65
            ! promoctl: DIR/config/promod/config.toml:2: review.min-completions takes a whole number from 0 to 1000000. Fix the file if it is broken, and then: promoctl reload
            $ reload --json → 65
            ! {"error":{"code":-32008,"message":"DIR/config/promod/config.toml:2: review.min-completions takes a whole number from 0 to 1000000","data":{"reason":"bad-configuration"}}}
            $ status
            DIR/config/promod/config.toml:2: review.min-completions takes a whole number from 0 to 1000000.
              Fix the file if it is broken, and then: promoctl reload

            NAME     STATE  APPS  AGE       NEXT
            default  fresh  5     a moment  TIME
            default: https://localhost:PORT/catalog.json
              set in DIR/config/promod/catalogs.d/default.toml
            $ check → 2
            BROKEN: DIR/config/promod/config.toml:2: review.min-completions takes a whole number from 0 to 1000000.
            $ metrics
            promod_up{} 1
            promod_problem{code="configuration"} 1
            promod_catalog_state{catalog="default",state="fresh",source="origin"} 1
            $ doctor → 1
            DIR/config/promod/config.toml:2: review.min-completions takes a whole number from 0 to 1000000.
              Fix the file if it is broken, and then: promoctl reload
            """#
        case .brokenCatalogFile:
            #"""
            $ status
            acme: DIR/config/promod/catalogs.d/acme.toml:1: url takes an https address with a host, such as "https://example.com/catalog.json".
              Fix the file; promod reads it again by itself.

            NAME     STATE  APPS  AGE       NEXT
            default  fresh  5     a moment  TIME
            acme     empty  -     -         -
            default: https://localhost:PORT/catalog.json
              set in DIR/config/promod/catalogs.d/default.toml
            $ check → 2
            BROKEN: acme: DIR/config/promod/catalogs.d/acme.toml:1: url takes an https address with a host, such as "https://example.com/catalog.json".
            $ check --catalog default
            OK: 5 apps fetched a moment ago.
            $ status --catalog default
            NAME     STATE  APPS  AGE       NEXT
            default  fresh  5     a moment  TIME
            default: https://localhost:PORT/catalog.json
              set in DIR/config/promod/catalogs.d/default.toml
            $ reload → 1
            ! promoctl: acme: DIR/config/promod/catalogs.d/acme.toml:1: url takes an https address with a host, such as "https://example.com/catalog.json". Fix the file; promod reads it again by itself.
            $ reload --json → 1
            {"reloaded":true}
            ! {"error":{"code":1,"message":"acme: DIR/config/promod/catalogs.d/acme.toml:1: url takes an https address with a host, such as \"https://example.com/catalog.json\". Fix the file; promod reads it again by itself.","data":{"reason":"no"}}}
            """#
        case .several:
            #"""
            $ status
            zed: https://localhost:PORT/busy.json answers 503 Service Temporarily Unavailable.
              Wait: the origin is overloaded or out of order.

            NAME     STATE  APPS  AGE       NEXT
            default  fresh  5     a moment  TIME
            acme     fresh  5     a moment  TIME
            zed      empty  -     -         TIME
            default: https://localhost:PORT/catalog.json
              set in DIR/config/promod/catalogs.d/default.toml
            acme: https://localhost:PORT/catalog.json
              set in DIR/config/promod/catalogs.d/acme.toml
            zed: https://localhost:PORT/busy.json
              set in DIR/config/promod/catalogs.d/zed.toml
            $ check → 1
            STALE: zed was never fetched. https://localhost:PORT/busy.json answers 503 Service Temporarily Unavailable.
            $ check --catalog acme
            OK: 5 apps fetched a moment ago.
            $ metrics
            promod_up{} 1
            promod_problem{code="unavailable",catalog="zed"} 1
            promod_catalog_state{catalog="default",state="fresh",source="origin"} 1
            promod_catalog_state{catalog="acme",state="fresh",source="origin"} 1
            promod_catalog_state{catalog="zed",state="empty",source="none"} 1
            $ clear --yes --catalog acme
            The cache is cleared. "promoctl wait --catalog acme" returns when there is a catalog again.
            """#
        }
    }
}
