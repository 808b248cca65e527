import Foundation
import Glibc
import PromoCore
import PromoTestSupport
import Testing

/// The review methods of the built daemon.
struct ReviewTests {
    @Test func theNumbersOfTheConfigurationCountAndAReloadBringsOthers() throws {
        let daemon = try DaemonUnderTest(catalog: DaemonUnderTest.unfetched, "--set", "review.min-completions=0")
        func request() throws -> Reply { try daemon.ask(DaemonUnderTest.requestLine("fittoday", completed: 0)) }
        _ = try daemon.launch("fittoday")
        #expect(try request().reasons == ["too-soon-after-first-launch"])
        let none = "min-days-since-first-launch = 0\nmin-days-since-last-request = 0\n"
        try daemon.scratch.write("config/promod/config.toml", "[review]\n\(none)max-per-year = 2\n")
        #expect(try daemon.ask(#"{"method":"reload"}"#).result["reloaded"] as? Bool == true)
        daemon.notify.wait { $0 == "READY=1" }
        for _ in 1...2 { #expect(try request().isGranted == true) }
        #expect(try request().reasons == ["yearly-limit"])
        try daemon.scratch.write("config/promod/config.toml", "[review]\n\(none)max-per-year = 0\n")
        daemon.process.signal(SIGHUP)
        daemon.notify.wait { $0 == "READY=1" }
        #expect(try request().isGranted == true)
    }

    @Test func eachRequestSeesTheEffectOfTheOneBeforeEvenOfANotification() throws {
        let daemon = try DaemonUnderTest(
            catalog: DaemonUnderTest.unfetched, "--set", "review.min-days-since-first-launch=0")
        let client = try daemon.connect()
        let asking = ",\"completed\":\(ReviewPolicy().minimumCompletions),\"needsPage\":false"
        func call(_ id: String, _ method: String, _ rest: String) -> String {
            "{\"jsonrpc\":\"2.0\"\(id),\"method\":\"\(method)\",\"params\":{\"app\":\"fittoday\"\(rest)}}\n"
        }
        let calls = [
            call(",\"id\":1", "review-request", asking), call(",\"id\":2", "review-eligible", asking),
            call("", "review-reset", ""), call(",\"id\":3", "review-eligible", asking),
            call(",\"id\":4", "review-request", asking), call(",\"id\":5", "review-eligible", asking),
        ]
        client.send(calls.joined())
        let replies = try client.readLines(5).map { try Reply($0) }
        #expect(replies.map { $0.object["id"] as? Int } == [1, 2, 3, 4, 5])
        let answers = replies.map { ($0.result["eligible"] ?? $0.result["granted"]) as? Bool }
        #expect(answers == [true, false, true, true, false])
    }

    @Test func aHistoryThatCannotBeUnderstoodIsSetAsideAndSaidUntilItIsGoneAndTheNextBeginsEmpty() throws {
        let scratch = try ScratchDirectory()
        let history = ReviewHistoryFile(scratch: scratch)
        try history.write("{")
        let daemon = try DaemonUnderTest(in: scratch)
        #expect((history.damagedText, history.text) == ("{", ""))
        #expect(daemon.logs(history.damagedPath))
        #expect(try daemon.requestReview("fittoday").reasons == ["never-launched"])
        #expect(try daemon.launch("fittoday").isRecorded == true)
        let reload = #"{"method":"reload"}"#
        for _ in 0..<2 {
            #expect(try daemon.problems()["reviews"]?.contains("reviews.json.damaged") == true)
            #expect(try daemon.ask(reload).error.isEmpty)
        }
        unlink(history.damagedPath)
        #expect(try daemon.ask(reload).error.isEmpty)
        #expect(try daemon.problems() == [:])
        #expect(try daemon.launch("fittoday").isRecorded == false)
    }

    @Test func aFileThatReplacesTheHistoryIsTheHistory() throws {
        let daemon = try DaemonUnderTest(catalog: nil)
        #expect(try daemon.launch("bookary").isRecorded == true)
        try daemon.history.write(apps: ["fittoday"])
        #expect(try daemon.requestReview("fittoday").isGranted == true)
        #expect(try daemon.requestReview("bookary").reasons == ["never-launched"])
        try FileManager.default.removeItem(atPath: daemon.scratch("state"))
        #expect(try daemon.launch("fittoday").isRecorded == true)
    }

    @Test func launchedAppsAreLeftOutOfListsFromTheStart() throws {
        let scratch = try ScratchDirectory()
        try ReviewHistoryFile(scratch: scratch).write(apps: ["bookary"])
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
        #expect(refused.reason == "not-stored")
        #expect(refused.message.contains("reviews.lock"))
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
        try ReviewHistoryFile(scratch: scratch).write(apps: apps)
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
