import Foundation
import PromoTestSupport
import Testing

/// A list that expired while promod was off, and is opened with the network up.
struct ExpiredListTests {
    private let origin: NginxOrigin
    private let daemon: DaemonUnderTest

    /// Starts promod with a list that is older than what is published.
    init() throws {
        origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        #expect(try DaemonUnderTest.keeping(origin, in: scratch).stop() == .exited(0))
        for name in try FileManager.default.subpathsOfDirectory(atPath: scratch("cache")).map({ "cache/\($0)" })
        where ["catalog", "schedule.json"].contains((name as NSString).lastPathComponent) {
            let time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/
            try scratch.write(name, scratch.read(name).replacing(time, with: "2026-01-01T00:00:00Z"))
        }
        try origin.publish(SampleFile.renamed)
        daemon = try DaemonUnderTest(in: scratch, settings: origin.settings)
    }

    @Test func isThereAtOnceAndTheNewOneIsAnEventWithinTwoSeconds() throws {
        let subscriber = try Subscriber(daemon, #""events":["catalog"]"#)
        let began = ContinuousClock.now
        let list = try daemon.ask(#"{"method":"list"}"#)
        #expect(list.state == "expired")
        #expect(!list.description.contains("FineBill Pro"))
        let event = try subscriber.next()
        #expect(ContinuousClock.now - began < .seconds(2))
        #expect(event.event["state"] as? String == "fresh")
        let next = try daemon.ask(#"{"method":"list"}"#)
        #expect(next.state == "fresh")
        #expect(next.description.contains("FineBill Pro"))
        #expect(event.event["generation"] as? String == next.result["generation"] as? String)
    }

    @Test(arguments: ["tap", "impression"])
    func isFetchedAfterATapAndAnImpressionToo(method: String) throws {
        let subscriber = try Subscriber(daemon, #""events":["catalog"]"#)
        let parameters = method == "tap" ? #""app":"bookary""# : #""apps":["bookary"]"#
        let began = ContinuousClock.now
        #expect(try daemon.ask("{\"method\":\"\(method)\",\(parameters)}").error.isEmpty)
        #expect(try subscriber.next().event["state"] as? String == "fresh")
        #expect(ContinuousClock.now - began < .seconds(2))
    }

    @Test func whoWaitsGetsTheNewOne() throws {
        let list = try daemon.ask(#"{"method":"list","wait":true}"#)
        #expect(list.state == "fresh")
        #expect(list.description.contains("FineBill Pro"))
        #expect(origin.log.count == 2)
    }
}
