import Foundation
import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// `promoctl events`.
struct PromoctlEventsTests {
    @Test func eachEventIsALineAndWithJSONThatOfTheProtocol() throws {
        let daemon = try DaemonUnderTest()
        let (events, plain) = (try EventsUnderTest(daemon, "--json"), try EventsUnderTest(daemon, "tap"))
        _ = try daemon.ask(#"{"method":"tap","app":"bookary"}"#)
        let eventTime = #"[0-9]{2} [A-Z][a-z]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}"#
        #expect(try plain.output.next().matches("\(eventTime)  tap         bookary \\(sample\\)"))
        let time = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"
        #expect(
            try events.output.next().matches(
                #"\{"seq":[0-9]+,"at":"\#(time)","event":"tap","catalog":"default","app":"bookary","host":null,"source":"sample"\}"#
            ))
    }

    @Test func aReplayThatLacksEventsSaysSo() throws {
        let daemon = try DaemonUnderTest()
        let count = ImpressionParameters.maximumApps
        let apps = Array(repeating: #""bookary""#, count: count).joined(separator: ",")
        let requests = EventLog.capacity / count + 2
        for _ in 0..<requests { _ = try daemon.ask("{\"method\":\"impression\",\"apps\":[\(apps)]}") }
        // The first event is that of the sample.
        let forgotten = 1 + requests * count - EventLog.capacity
        let events = try EventsUnderTest(daemon, "impression", "--since", "1", "--json")
        #expect(
            try events.errors.next()
                == "promoctl: Some events after 1 were missed, because promod keeps only those after \(forgotten).")
        #expect(try events.next().seq == forgotten + 1)
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
}
