import Foundation
import Glibc
import PromoTestSupport
import Testing

/// The review methods of the built daemon.
struct ReviewTests {
    private static let lines = [
        DaemonUnderTest.launchLine("fittoday"), DaemonUnderTest.eligibleLine("fittoday"),
        DaemonUnderTest.requestLine("fittoday"),
    ]

    /// Expects that all three methods are refused because the history cannot be used, and returns the last message.
    @discardableResult
    private func refusedMessage(
        of daemon: DaemonUnderTest, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        var message = ""
        for line in Self.lines {
            let reply = try daemon.ask(line)
            #expect(reply.reason == "not-stored", "\(reply)", sourceLocation: sourceLocation)
            #expect(reply.error["code"] as? Int == -32007, sourceLocation: sourceLocation)
            message = reply.message
        }
        return message
    }

    // MARK: An app's life

    @Test func theFlowOfARealApp() throws {
        let (origin, scratch) = (try NginxOrigin(), try ScratchDirectory())
        let history = ReviewHistoryFile(scratch: scratch)
        var daemon = try DaemonUnderTest.keeping(origin, in: scratch)
        func letPass(days: Double) throws {
            #expect(daemon.stop() == .exited(0))
            try history.letPass(days: days)
            daemon = try DaemonUnderTest.keeping(origin, in: scratch)
        }

        let unknown = try daemon.requestReview("bookary", completed: 0)
        #expect(unknown.reasons == ["never-launched", "too-few-completions"])
        #expect((unknown.result["advice"] as? String)?.contains("launch") == true)
        #expect(history.text.isEmpty)

        let launch = try daemon.launch("bookary")
        #expect(launch.isRecorded == true)
        let launched = try #require(launch.firstLaunch)
        #expect(try daemon.launch("bookary").result["recorded"] as? Bool == false)
        #expect(try daemon.launch("bookary").firstLaunch == launched)
        for completed in 0..<3 {
            let refused = try daemon.requestReview("bookary", completed: completed)
            #expect(refused.isGranted == false)
            #expect(refused.reasons == ["too-few-completions", "too-soon-after-first-launch"])
        }
        let early = try daemon.requestReview("bookary")
        #expect(early.reasons == ["too-soon-after-first-launch"])
        #expect(early.eligibleAt == (try ReviewHistoryFile.time(launched, days: 7)))
        #expect(early.result["reviewURL"] is NSNull)

        try letPass(days: 7)
        #expect(try daemon.launch("bookary").firstLaunch == ReviewHistoryFile.time(launched, days: -7))
        #expect(try daemon.requestReview("bookary", completed: 2).reasons == ["too-few-completions"])
        #expect(try daemon.reviewEligible("bookary").isEligible == true)
        let first = try daemon.requestReview("bookary")
        #expect(first.isGranted == true)
        #expect(first.reasons == [])
        let store = "https://example.com/?app=bookary"
        #expect(first.result["reviewURL"] as? String == store)
        let again = try daemon.requestReview("bookary", completed: 4)
        #expect(again.reasons == ["too-soon-after-last-request"])
        #expect(again.eligibleAt == first.eligibleAt)
        #expect(again.result["reviewURL"] is NSNull)
        #expect(try daemon.reviewEligible("bookary").isEligible == false)

        for _ in 0..<2 {
            try letPass(days: 29.9)
            #expect(try daemon.requestReview("bookary").reasons == ["too-soon-after-last-request"])
            try letPass(days: 0.1)
            #expect(try daemon.requestReview("bookary").isGranted == true)
        }
        try letPass(days: 30)
        let limited = try daemon.requestReview("bookary")
        #expect(limited.reasons == ["yearly-limit"])
        // The first grant is 90 days old, and said that the next is possible 30 days later.
        let firstGrant = try ReviewHistoryFile.time(try #require(first.eligibleAt), days: -120)
        #expect(limited.eligibleAt == (try ReviewHistoryFile.time(firstGrant, days: 365)))
        try letPass(days: 275)
        #expect(try daemon.requestReview("bookary").isGranted == true)
        #expect(daemon.stop() == .exited(0))
    }

    @Test func ofAHundredClientsAtOnceExactlyOneIsGranted() throws {
        let scratch = try ScratchDirectory()
        try ReviewHistoryFile(scratch: scratch).write(apps: ["fittoday"], launchedDaysAgo: 7)
        let daemon = try DaemonUnderTest(in: scratch, catalog: DaemonUnderTest.unfetched)
        let clients = try (0..<100).map { _ in try daemon.connect() }
        // All lines are sent before the daemon can read the first.
        daemon.process.signal(SIGSTOP)
        while try !String(contentsOfFile: "/proc/\(daemon.process.pid)/status", encoding: .utf8).contains("State:\tT") {
        }
        for client in clients { client.send(DaemonUnderTest.requestLine("fittoday") + "\n") }
        daemon.process.signal(SIGCONT)
        let replies = try clients.map { try Reply(try #require($0.readLines(1).first)) }
        #expect(replies.count { $0.isGranted == true } == 1)
        #expect(replies.count { $0.reasons == ["too-soon-after-last-request"] } == 99)
        #expect(Set(replies.map(\.eligibleAt)).count == 1)
        #expect(try daemon.history.requests(of: "fittoday").count == 1)
    }

    @Test func aMalformedIDIsRefusedAndRemembersNothing() throws {
        let daemon = try DaemonUnderTest(catalog: DaemonUnderTest.unfetched)
        for app in ["", " ", "FitToday", "fit_today", "../../etc/passwd", #"fit\u0000today"#, "한국"] {
            for line in [
                DaemonUnderTest.launchLine(app), DaemonUnderTest.eligibleLine(app), DaemonUnderTest.requestLine(app),
            ] {
                let reply = try daemon.ask(line)
                #expect(reply.reason == "invalid-params", "\(line)")
                #expect(reply.message.contains("\"app\""), "\(line)")
            }
        }
        #expect(daemon.history.text.isEmpty)
        #expect(try daemon.reviewEligible("x", completed: -1).reason == "invalid-params")
    }

    @Test func theNumbersOfTheConfigurationCountAndAReloadBringsOthers() throws {
        let daemon = try DaemonUnderTest(catalog: DaemonUnderTest.unfetched, "--set", "review.min-completions=0")
        _ = try daemon.launch("fittoday")
        #expect(try daemon.reviewEligible("fittoday", completed: 0).reasons == ["too-soon-after-first-launch"])
        #expect(try daemon.requestReview("fittoday", completed: 0).reasons == ["too-soon-after-first-launch"])
        let none = "min-days-since-first-launch = 0\nmin-days-since-last-request = 0\n"
        try daemon.scratch.write("config/promod/config.toml", "[review]\n\(none)max-per-year = 2\n")
        #expect(try daemon.ask(#"{"method":"reload"}"#).result["reloaded"] as? Bool == true)
        daemon.notify.wait { $0 == "READY=1" }
        #expect(try daemon.requestReview("fittoday", completed: 0).isGranted == true)
        #expect(try daemon.requestReview("fittoday", completed: 0).isGranted == true)
        #expect(try daemon.reviewEligible("fittoday", completed: 0).reasons == ["yearly-limit"])
        #expect(try daemon.requestReview("fittoday", completed: 0).reasons == ["yearly-limit"])
        try daemon.scratch.write("config/promod/config.toml", "[review]\n\(none)max-per-year = 0\n")
        daemon.process.signal(SIGHUP)
        daemon.notify.wait { $0 == "READY=1" }
        #expect(try daemon.requestReview("fittoday", completed: 0).isGranted == true)
    }

    @Test func anAppNeedsNoCatalogAndThePageIsThatOfTheRequestElseTheCatalogsElseTheAppStores() throws {
        let (origin, scratch) = (try NginxOrigin(), try ScratchDirectory())
        let history = ReviewHistoryFile(scratch: scratch)
        let apps = ["fittoday", "stedio", "bookary", "finebill"]
        let page = #","page":"https://example.com/review?x=1""#
        let (number, needs) = (#","appStoreID":"7""#, #","needsPage":true"#)
        func reply(_ daemon: DaemonUnderTest, _ app: String, _ rest: String) throws -> Reply {
            try daemon.ask("{\"method\":\"review-request\",\"app\":\"\(app)\",\"completed\":3\(rest)}")
        }
        try history.write(apps: apps, launchedDaysAgo: 7)
        var daemon = try DaemonUnderTest(in: scratch, catalog: nil)
        #expect(try reply(daemon, "fittoday", needs).reasons == ["no-page"])
        #expect(try daemon.history.requests(of: "fittoday") == [], "nothing is spent")
        #expect(try reply(daemon, "fittoday", needs + page).reviewURL == "https://example.com/review?x=1")
        #expect(
            try reply(daemon, "stedio", needs + number).reviewURL
                == "https://apps.apple.com/app/id7?action=write-review")
        #expect(try reply(daemon, "bookary", "").result["reviewURL"] is NSNull)
        #expect(try reply(daemon, "finebill", #","page":"http://example.com/""#).reason == "invalid-params")
        #expect(daemon.stop() == .exited(0))
        try history.write(apps: apps, launchedDaysAgo: 7)
        daemon = try DaemonUnderTest.keeping(origin, in: scratch)
        #expect(try reply(daemon, "stedio", number + page).reviewURL == "https://example.com/review?x=1")
        #expect(try reply(daemon, "bookary", number).reviewURL == "https://example.com/?app=bookary")
        #expect(try reply(daemon, "finebill", #","catalog":"acme""#).reason == "unknown-catalog")
        #expect(daemon.stop() == .exited(0))
        try history.write(apps: apps, launchedDaysAgo: 7)
        daemon = try DaemonUnderTest(in: scratch)
        #expect(try reply(daemon, "bookary", needs).isGranted == true, "the sample has no special case")
        #expect(try daemon.ask(#"{"method":"launch","app":"a","catalog":"default"}"#).reason == "invalid-params")
    }

    @Test func aHundredThousandResetsOfUnknownAppsKeepAndWriteNothing() throws {
        let daemon = try DaemonUnderTest(catalog: nil)
        #expect(try daemon.launch("fittoday").isRecorded == true)
        let before = try FileManager.default.attributesOfItem(atPath: daemon.history.path)[.systemFileNumber] as? Int
        let client = try daemon.connect()
        let writer = Thread {
            for number in 0..<100_000 { client.send("{\"method\":\"review-reset\",\"app\":\"app-\(number)\"}\n") }
        }
        writer.start()
        #expect(try client.readLines(100_000).allSatisfy { try Reply($0).result["reset"] as? Bool == false })
        let after = try FileManager.default.attributesOfItem(atPath: daemon.history.path)[.systemFileNumber] as? Int
        #expect(before != nil && before == after)
        let status = try String(contentsOfFile: "/proc/\(daemon.process.pid)/status", encoding: .utf8)
        let anonymous = status.firstMatch(of: #/RssAnon:\s+(\d+) kB/#).flatMap { Int($0.1) }
        #expect(anonymous.map { $0 < 30_000 } == true, "\(status)")
    }

    // MARK: Connections

    @Test func repliesComeInOrderAndAnotherConnectionIsNotDelayed() throws {
        let silent = try SilentListener()
        let scratch = try ScratchDirectory()
        try ReviewHistoryFile(scratch: scratch).write(apps: ["fittoday", "bookary"], launchedDaysAgo: 7)
        let daemon = try DaemonUnderTest(
            in: scratch, catalog: DaemonUnderTest.unfetched, "--catalog-url", "https://localhost:\(silent.port)/")
        let calls = [
            #""method":"launch","params":{"app":"stedio"}"#, #""method":"list""#,
            #""method":"review-request","params":{"app":"fittoday","completed":3}"#, #""method":"status""#,
            #""method":"refresh""#, #""method":"launch","params":{"app":"littory"}"#,
            #""method":"review-eligible","params":{"app":"littory","completed":3}"#, #""method":"list""#,
        ]
        let held = try daemon.connect()
        held.send(calls.enumerated().map { "{\"jsonrpc\":\"2.0\",\"id\":\($0),\($1)}\n" }.joined())
        var replies = try held.readLines(4).map { try Reply($0) }
        #expect(replies.map { $0.object["id"] as? Int } == [0, 1, 2, 3])
        #expect(replies[2].isGranted == true)

        // The refresh waits for a silent origin. Later requests on its connection wait too; other connections do not.
        while try daemon.catalog()["refreshing"] as? Bool != true {}
        #expect(try daemon.requestReview("fittoday").reasons == ["too-soon-after-last-request"])
        #expect(try daemon.requestReview("bookary").isGranted == true)
        #expect(try daemon.launch("finepomo").isRecorded == true)
        #expect(try daemon.ask(#"{"method":"list"}"#).state == "loading")
        #expect(try daemon.reviewEligible("littory").reasons == ["never-launched"])

        silent.stop()
        replies = try held.readLines(4).map { try Reply($0) }
        #expect(replies.map { $0.object["id"] as? Int } == [4, 5, 6, 7])
        #expect(replies[1].isRecorded == true)
        #expect(replies[2].reasons == ["too-soon-after-first-launch"])
    }

    @Test func inABatchEachRequestSeesTheEffectOfTheOneBefore() throws {
        let daemon = try DaemonUnderTest(
            catalog: DaemonUnderTest.unfetched, "--set", "review.min-days-since-first-launch=0")
        let client = try daemon.connect()
        func call(_ id: String, _ method: String, _ rest: String = ",\"completed\":3") -> String {
            "{\"jsonrpc\":\"2.0\"\(id),\"method\":\"\(method)\",\"params\":{\"app\":\"fittoday\"\(rest)}}"
        }
        // The launch is a notification: it takes effect, but gets no reply.
        let batch = [
            call(",\"id\":1", "review-eligible"), call("", "launch", ""), call(",\"id\":2", "review-eligible"),
            call(",\"id\":3", "review-request"), call(",\"id\":4", "review-request"),
            call(",\"id\":5", "review-eligible"),
        ]
        client.send("[" + batch.joined(separator: ",") + "]\n")
        let line = try #require(client.readLines(1).first)
        let replies = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[String: Any]])
        #expect(replies.map { $0["id"] as? Int } == [1, 2, 3, 4, 5])
        let results = replies.compactMap { $0["result"] as? [String: Any] }
        #expect(results.map { ($0["eligible"] ?? $0["granted"]) as? Bool } == [false, true, true, false, false])
    }

    // MARK: Another file

    @Test(arguments: ["{", "", #"{"format":3,"catalogs":{}}"#])
    func aHistoryThatCannotBeUnderstoodIsSetAsideAndSaidUntilItIsGoneAndTheNextBeginsEmpty(text: String) throws {
        let scratch = try ScratchDirectory()
        let history = ReviewHistoryFile(scratch: scratch)
        try history.write(text)
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin, in: scratch)
        #expect(history.damagedText == text && history.text.isEmpty)
        #expect(daemon.logs(history.damagedPath))
        #expect(try daemon.requestReview("fittoday").reasons == ["never-launched"])
        #expect(try daemon.launch("fittoday").isRecorded == true)
        let promoctl = PromoctlUnderTest(daemon)
        for (command, code) in [(["status"], 0), (["status", "--json"], 0), (["doctor"], 1), (["check"], 2)]
            as [([String], Int32)]
        {
            let ran = try promoctl.run(command)
            #expect(ran.code == code && ran.output.contains("reviews.json.damaged"), "\(command): \(ran.output)")
        }
        #expect(try promoctl.run("metrics").output.contains("code=\"reviews\""))
        #expect(try promoctl.run("reload").code == 0)
        #expect(try promoctl.run("check").code == 2)
        unlink(history.damagedPath)
        #expect(try promoctl.run("reload").code == 0)
        #expect(try promoctl.run("check").code == 0)
        #expect(try !promoctl.run("metrics").output.contains("promod_problem"))
        #expect(try daemon.launch("fittoday").isRecorded == false)
    }

    @Test func aFileThatReplacesTheHistoryIsTheHistory() throws {
        let daemon = try DaemonUnderTest(catalog: nil)
        #expect(try daemon.launch("bookary").isRecorded == true)
        try daemon.history.write(apps: ["fittoday"], launchedDaysAgo: 7)
        #expect(try daemon.requestReview("fittoday").isGranted == true)
        #expect(try daemon.reviewEligible("bookary").reasons == ["never-launched"])
        try FileManager.default.removeItem(atPath: daemon.scratch("state"))
        #expect(try daemon.launch("fittoday").isRecorded == true)
    }

    @Test func launchedAppsAreLeftOutOfListsFromTheStart() throws {
        let scratch = try ScratchDirectory()
        try ReviewHistoryFile(scratch: scratch).write(apps: ["bookary"], launchedDaysAgo: 7)
        let daemon = try DaemonUnderTest(in: scratch)
        let line = #"{"method":"list","unlaunched":true}"#
        #expect(try daemon.ask(line).apps == ["finebill", "finepomo", "stedio", "littory"])
        _ = try daemon.launch("stedio")
        #expect(try daemon.ask(line).apps == ["finebill", "finepomo", "littory"])
        #expect(try daemon.ask(#"{"method":"review-reset","app":"bookary"}"#).result["reset"] as? Bool == true)
        #expect(try daemon.ask(line).apps == ["finebill", "bookary", "finepomo", "littory"])
    }

    // MARK: A history that cannot be used

    @Test func aHistoryThatMayNotBeReadIsLeftAlone() throws {
        let scratch = try ScratchDirectory()
        let history = ReviewHistoryFile(scratch: scratch)
        try history.write(apps: ["fittoday"], launchedDaysAgo: 7)
        let good = history.text
        chmod(history.path, 0)
        // Root can read everything unless it drops that capability.
        let bound = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--"]
        let daemon = try DaemonUnderTest(
            in: scratch, catalog: DaemonUnderTest.unfetched, launcher: getuid() == 0 ? bound : [])
        let message = try refusedMessage(of: daemon)
        #expect(message.contains("cannot read \(history.path): Permission denied"))
        chmod(history.path, 0o600)
        #expect(history.text == good)
        #expect(try daemon.requestReview("fittoday").isGranted == true)
    }

    @Test func aFileInTheDirectorysPlaceIsReportedAndEverythingWorksWhenItIsGone() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("state/promod", "precious")
        let daemon = try DaemonUnderTest(in: scratch, catalog: DaemonUnderTest.unfetched)
        #expect(try daemon.launch("fittoday").message.contains(scratch("state/promod")))
        #expect(try daemon.requestReview("fittoday").isGranted == false)
        #expect(scratch.read("state/promod") == "precious")
        #expect(try daemon.ask(#"{"method":"list"}"#).state != nil)
        try FileManager.default.removeItem(atPath: scratch("state/promod"))
        #expect(try daemon.launch("fittoday").isRecorded == true)
    }

    @Test(.enabled(if: getuid() == 0, "only root can mount"))
    func aFullDiskChangesNothingAndAfterwardsAllWorks() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("state/.keep", "")
        let mount = "mount -t tmpfs -o size=64k none \"$0\" && exec \"$@\""
        let daemon = try DaemonUnderTest(
            in: scratch, catalog: DaemonUnderTest.unfetched,
            launcher: ["unshare", "--mount", "--", "sh", "-c", mount, scratch("state")],
            "--set", "review.min-days-since-first-launch=0")
        func inside(_ command: String) throws {
            _ = try ChildProcess.run(
                ["nsenter", "--target", "\(daemon.process.pid)", "--mount", "sh", "-c", command, scratch("state")])
        }
        #expect(try daemon.launch("bookary").isRecorded == true)
        try inside("cat /dev/zero > \"$0/full\"")
        for _ in 0..<2 {
            for reply in [try daemon.launch("fittoday"), try daemon.requestReview("bookary")] {
                #expect(reply.reason == "not-stored")
                #expect(reply.message.contains("nothing changed"))
                #expect(reply.message.contains("No space left on device"))
            }
            #expect(try daemon.reviewEligible("bookary").isEligible == true)
            #expect(try daemon.reviewEligible("fittoday").reasons == ["never-launched"])
            #expect(try daemon.launch("bookary").isRecorded == false)
        }
        try inside("rm \"$0/full\"")
        #expect(try daemon.launch("fittoday").isRecorded == true)
        #expect(try daemon.requestReview("bookary").isGranted == true)
        #expect(daemon.stop() == .exited(0))
    }

    @Test func withoutALockEverythingWorksAndThatIsSaidOnce() throws {
        let scratch = try ScratchDirectory()
        try FileManager.default.createDirectory(
            atPath: scratch("state/promod/reviews.lock"), withIntermediateDirectories: true)
        let daemon = try DaemonUnderTest(in: scratch, catalog: nil)
        for app in ["a", "b"] { #expect(try daemon.launch(app).isRecorded == true) }
        #expect(daemon.stop() == .exited(0))
        #expect(daemon.process.standardError.ranges(of: "is used without a lock").count == 1)
    }

    // MARK: Two daemons, one home

    @Test func aLockThatAnotherProgramDoesNotReleaseRefusesOnlyReviews() throws {
        let daemon = try DaemonUnderTest(catalog: DaemonUnderTest.unfetched)
        let other = open(daemon.scratch("state/promod/reviews.lock"), O_RDWR | O_CLOEXEC)
        #expect(flock(other, LOCK_EX) == 0)
        #expect(try refusedMessage(of: daemon).contains("reviews.lock"))
        #expect(try daemon.ask(#"{"method":"list"}"#).state != nil)
        // A child that another test starts may hold the descriptor.
        #expect(flock(other, LOCK_UN) == 0)
        close(other)
        #expect(try daemon.launch("fittoday").isRecorded == true)
        #expect(try daemon.problems()["reviews"] == nil)
    }

    @Test func ofTwoDaemonsWithOneHomeOnlyOneGrantsAReview() throws {
        let scratch = try ScratchDirectory()
        let apps = (0..<50).map { "app-\($0)" }
        try ReviewHistoryFile(scratch: scratch).write(apps: apps, launchedDaysAgo: 7)
        let daemons = try (0..<2).map { number in
            try DaemonUnderTest(
                in: number == 0 ? scratch : nil, catalog: DaemonUnderTest.unfetched,
                environment: ["XDG_STATE_HOME": scratch("state")])
        }
        let clients = try daemons.map { try $0.connect() }
        for client in clients {
            Thread { client.send(apps.map { DaemonUnderTest.requestLine($0) + "\n" }.joined()) }.start()
        }
        let granted = try clients.map { try $0.readLines(apps.count).map { try Reply($0).isGranted == true } }
        #expect(zip(granted[0], granted[1]).allSatisfy { $0 != $1 })
        for app in apps { #expect(try daemons[0].history.requests(of: app).count == 1) }
    }

    @Test func aGrantAndAFirstLaunchAreOnDiskBeforeTheyAreAnswered() throws {
        let scratch = try ScratchDirectory()
        let apps = (0..<10).map { "app-\($0)" }
        try ReviewHistoryFile(scratch: scratch).write(apps: apps, launchedDaysAgo: 7)
        var launches: [String: String] = [:]
        for (number, app) in apps.enumerated() {
            let daemon = try DaemonUnderTest(in: scratch, catalog: DaemonUnderTest.unfetched)
            let earlier = try daemon.askAll(apps[..<number].map { DaemonUnderTest.requestLine($0) })
            #expect(earlier.allSatisfy { $0.reasons == ["too-soon-after-last-request"] })
            for (new, time) in launches {
                let again = try daemon.launch(new)
                #expect(again.isRecorded == false && again.firstLaunch == time)
            }
            launches["new-\(number)"] = try daemon.launch("new-\(number)").firstLaunch
            let client = try daemon.connect()
            client.send(DaemonUnderTest.requestLine(app) + "\n")
            let line = try #require(client.readLines(1).first)
            daemon.crash()
            #expect(try Reply(line).isGranted == true)
        }
    }
}
