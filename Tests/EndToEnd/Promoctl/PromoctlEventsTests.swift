import Foundation
import PromoTestSupport
import Testing

/// `promoctl events`.
struct PromoctlEventsTests {
    private let eventTime = #"[0-9]{2} [A-Z][a-z]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}"#

    @Test func eachEventIsALine() throws {
        let daemon = try DaemonUnderTest()
        let events = try EventsUnderTest(daemon)
        _ = try daemon.ask(#"{"method":"tap","app":"bookary","host":"finebill"}"#)
        _ = try daemon.ask(#"{"method":"impression","apps":["stedio","littory"]}"#)
        #expect(try events.output.next().matches("\(eventTime)  tap         bookary in finebill \\(sample\\)"))
        #expect(try events.output.next().matches("\(eventTime)  impression  stedio \\(sample\\)"))
        #expect(try events.output.next().matches("\(eventTime)  impression  littory \\(sample\\)"))
    }

    @Test func onOneLineEachEventIsTheProtocols() throws {
        let daemon = try DaemonUnderTest()
        let events = try EventsUnderTest(daemon, "--json")
        _ = try daemon.ask(#"{"method":"tap","app":"bookary"}"#)
        let time = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"
        #expect(
            try events.output.next().matches(
                #"\{"seq":[0-9]+,"at":"\#(time)","event":"tap","catalog":"default","app":"bookary","host":null,"source":"sample"\}"#
            ))
    }

    @Test func kindsAndHostsAreSelected() throws {
        let daemon = try DaemonUnderTest()
        let events = try EventsUnderTest(daemon, "tap", "impression", "--host", "stedio")
        _ = try daemon.ask(#"{"method":"tap","app":"bookary","host":"finebill"}"#)
        _ = try daemon.ask(#"{"method":"tap","app":"bookary"}"#)
        _ = try daemon.ask(#"{"method":"impression","apps":["littory"],"host":"stedio"}"#)
        #expect(try events.output.next().matches("\(eventTime)  impression  littory in stedio \\(sample\\)"))
    }

    @Test func eventsAreReplayedSinceANumber() throws {
        let daemon = try DaemonUnderTest()
        _ = try daemon.ask(#"{"method":"tap","app":"bookary"}"#)
        _ = try daemon.ask(#"{"method":"tap","app":"stedio"}"#)
        let all = try EventsUnderTest(daemon, "--json", "--since", "0")
        #expect(try (1...3).map { _ in try all.next().seq } == [1, 2, 3])
        let last = try EventsUnderTest(daemon, "--json", "--since", "2")
        #expect(try last.next().app == "stedio")
    }

    @Test func aReplayThatLacksEventsSaysSo() throws {
        let daemon = try DaemonUnderTest()
        let apps = Array(repeating: #""bookary""#, count: 100).joined(separator: ",")
        for _ in 0..<12 { _ = try daemon.ask("{\"method\":\"impression\",\"apps\":[\(apps)]}") }
        let events = try EventsUnderTest(daemon, "impression", "--since", "1", "--json")
        #expect(
            try events.errors.next()
                == "promoctl: Some events after 1 were missed, because promod keeps only those after 177.")
        #expect(try events.next().seq == 178)
    }

    @Test func aNewCatalogIsAnEvent() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin)
        let events = try EventsUnderTest(daemon, "catalog")
        try origin.publish(SampleFile.renamed)
        let reply = try daemon.refresh()
        let generation = try #require(reply.result["generation"] as? String)
        #expect(try events.output.next().matches("\(eventTime)  catalog     loaded, generation \(generation)"))
    }

    // MARK: Restarts

    @Test func afterADaemonWasKilledEachEventOfTheNextOneComesOnce() throws {
        let scratch = try ScratchDirectory()
        let first = try DaemonUnderTest(in: scratch)
        let events = try EventsUnderTest(first, "--json")
        _ = try first.ask(#"{"method":"tap","app":"bookary"}"#)
        #expect(try events.next().app == "bookary")
        first.crash()
        #expect(
            try events.errors.next().hasPrefix("promoctl: promod closed the connection."))

        let second = try DaemonUnderTest(in: scratch)
        for app in ["stedio", "littory", "finepomo"] {
            _ = try second.ask("{\"method\":\"tap\",\"app\":\"\(app)\",\"host\":\"early\"}")
        }
        #expect(try events.errors.next() == "promoctl: promod is back after a restart.")
        _ = try second.ask(#"{"method":"tap","app":"finebill","host":"late"}"#)
        var seen: [(seq: Int, app: String)] = []
        while seen.last?.app != "finebill" { seen.append(try events.next()) }
        #expect(seen.map(\.seq) == Array(1...seen.count))
        #expect(seen.map(\.app).suffix(4) == ["stedio", "littory", "finepomo", "finebill"])
        #expect(second.stop() == .exited(0))
        #expect(
            try events.errors.next().hasPrefix("promoctl: promod closed the connection."))
        events.stop()
        #expect(events.errors.rest() == [])
    }

    @Test func aDaemonKilledBetweenTwoEventsTakesNoneAlong() throws {
        let scratch = try ScratchDirectory()
        var daemon = try DaemonUnderTest(in: scratch)
        let events = try EventsUnderTest(daemon, "tap", "--json")
        for app in ["bookary", "stedio", "littory", "finepomo"] {
            _ = try daemon.ask("{\"method\":\"tap\",\"app\":\"\(app)\"}")
            #expect(try events.next().app == app)
            daemon.crash()
            daemon = try DaemonUnderTest(in: scratch)
        }
        _ = try daemon.ask(#"{"method":"tap","app":"finebill"}"#)
        #expect(try events.next().app == "finebill")
        events.stop()
        #expect(events.output.rest() == [])
        #expect(events.errors.rest().count == 8)
    }

    @Test func aDaemonThatStaysAwayIsReportedOnce() throws {
        let scratch = try ScratchDirectory()
        let first = try DaemonUnderTest(in: scratch)
        let events = try EventsUnderTest(first, "tap", "--json")
        first.crash()
        #expect(
            try events.errors.next().hasPrefix("promoctl: promod closed the connection."))
        var broken: ScriptedListener? = try ScriptedListener(
            at: first.socketPath, .end, .text("no JSON\n"), .text("{\"jsonrpc\":\"2.0\",\"id\":1,\"res"), .end)
        #expect(comes { broken?.count ?? 0 >= 4 })
        broken = nil
        unlink(first.socketPath)
        let second = try DaemonUnderTest(in: scratch)
        #expect(try events.errors.next() == "promoctl: promod is back after a restart.")
        _ = try second.ask(#"{"method":"tap","app":"stedio"}"#)
        #expect(try events.next().app == "stedio")
        events.stop()
        #expect(events.errors.rest() == [])
    }

    // MARK: Ends

    @Test func itEndsWhenItsReaderGoesAway() throws {
        let daemon = try DaemonUnderTest()
        let events = try EventsUnderTest(daemon, "tap", "--json", through: ["head", "-n", "1"])
        _ = try daemon.ask(#"{"method":"tap","app":"bookary"}"#)
        #expect(try events.next().app == "bookary")
        // There are no more events whose writing could fail.
        #expect(events.process.wait(seconds: 10) == .exited(0))
        #expect(try comes { try daemon.status("socket", "subscribers") == 0 })
    }

    @Test func aDaemonThatIsNotRunningAtTheBeginningIsAnError() throws {
        let events = try PromoctlUnderTest(in: try ScratchDirectory()).run("events")
        #expect((events.code, events.output) == (69, ""))
        #expect(events.error.contains("systemctl --user restart promod.socket"))
    }
}
