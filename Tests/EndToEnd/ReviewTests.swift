import Foundation
import Glibc
import PromoTestSupport
import Testing

/// The review methods of the built daemon.
struct ReviewTests {
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

    @Test func eachRequestSeesTheEffectOfTheOneBeforeEvenOfANotification() throws {
        let daemon = try DaemonUnderTest(
            catalog: DaemonUnderTest.unfetched, "--set", "review.min-days-since-first-launch=0")
        let client = try daemon.connect()
        func call(_ id: String, _ method: String, _ rest: String = ",\"completed\":3,\"needsPage\":false") -> String {
            "{\"jsonrpc\":\"2.0\"\(id),\"method\":\"\(method)\",\"params\":{\"app\":\"fittoday\"\(rest)}}\n"
        }
        let calls = [
            call(",\"id\":1", "review-request"), call(",\"id\":2", "review-eligible"), call("", "review-reset", ""),
            call(",\"id\":3", "review-eligible"), call(",\"id\":4", "review-request"),
            call(",\"id\":5", "review-eligible"),
        ]
        client.send(calls.joined())
        let replies = try client.readLines(5).map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(replies.map { $0["id"] as? Int } == [1, 2, 3, 4, 5])
        let results = replies.compactMap { $0["result"] as? [String: Any] }
        #expect(results.map { ($0["eligible"] ?? $0["granted"]) as? Bool } == [true, false, true, true, false])
    }

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
        let reload = #"{"method":"reload"}"#
        for _ in 0..<2 {
            #expect(try daemon.problems()["reviews"]?.contains("reviews.json.damaged") == true)
            #expect(try daemon.ask(reload).error.isEmpty)
        }
        unlink(history.damagedPath)
        #expect(try daemon.ask(reload).error.isEmpty && daemon.problems().isEmpty)
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

    @Test func aLockThatAnotherProgramDoesNotReleaseRefusesOnlyReviews() throws {
        let daemon = try DaemonUnderTest(catalog: DaemonUnderTest.unfetched)
        let other = open(daemon.scratch("state/promod/reviews.lock"), O_RDWR | O_CLOEXEC)
        #expect(flock(other, LOCK_EX) == 0)
        let refused = try daemon.launch("fittoday")
        #expect(refused.reason == "not-stored" && refused.message.contains("reviews.lock"), "\(refused)")
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
}
