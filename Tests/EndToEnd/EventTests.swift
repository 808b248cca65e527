import Foundation
import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// The built daemon and its subscribers.
struct EventTests {
    @Test func aSubscriberThatComesBackLearnsWhatItMissed() throws {
        let daemon = try DaemonUnderTest()
        let first = try Subscriber(daemon)
        let apps = Array(repeating: #""bookary""#, count: ImpressionParameters.maximumApps).joined(separator: ",")
        for _ in 0..<20 { _ = try daemon.ask("{\"method\":\"impression\",\"apps\":[\(apps)]}") }
        let since = first.subscription.seq
        let last = since + 20 * ImpressionParameters.maximumApps
        let epoch = "\"epoch\":\"\(first.subscription.epoch)\""
        let back = try Subscriber(daemon, "\"since\":\(since),\(epoch)")
        #expect(back.subscription.seq == last - EventLog.capacity)
        #expect(try back.next(EventLog.capacity).map(\.seq) == Array(last - EventLog.capacity + 1...last))
        #expect(try Subscriber(daemon, "\"since\":\(since)").subscription.seq == last - EventLog.capacity)
        #expect(try Subscriber(daemon, "\"since\":\(last + 1),\(epoch)").subscription.seq == last)
    }

    @Test func anExpiryIsAnEventEvenWithoutARequest() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin, settings: ["refresh.interval": "1s"])
        origin.stop()
        let subscriber = try Subscriber(daemon, #""events":["catalog"],"since":0"#)
        while try subscriber.next().event["state"] as? String != "expired" {}
        #expect(try daemon.catalog()["state"] as? String == "expired")
    }

    @Test func impressionsAndTapsAreOnNoDiskAndInNoLog() throws {
        let (host, origin) = ("hostof7f3asecrets", try NginxOrigin())
        let daemon = try DaemonUnderTest.keeping(origin, settings: ["log.level": "trace"])
        let subscriber = try Subscriber(daemon, "\"host\":\"\(host)\"")
        _ = try daemon.ask("{\"method\":\"tap\",\"app\":\"littory\",\"host\":\"\(host)\"}")
        _ = try daemon.ask("{\"method\":\"impression\",\"apps\":[\"stedio\"],\"host\":\"\(host)\"}")
        _ = try daemon.ask("{\"method\":\"tap\",\"app\":\"ghostapp9c1e\",\"host\":\"\(host)\"}")
        _ = try daemon.ask("{\"method\":\"tap\",\"lang\":\"\(host)\"}")
        _ = try daemon.ask("{\"method\":\"tap\",\"app\":\"littory\",\"host\":\"\(host)")
        _ = try daemon.ask("{\"method\":\"list\",\"host\":\"\(host)\"}")
        #expect(try subscriber.next(2).map(\.kind) == ["tap", "impression"])
        // Make the daemon write all its files: the review history, the catalog and the schedule.
        _ = try daemon.ask(#"{"method":"launch","app":"finebill"}"#)
        try origin.publish(SampleFile.renamed)
        #expect(try daemon.refresh().outcome == "updated")
        daemon.process.signal(SIGHUP)
        #expect(daemon.notify.wait(for: { $0 == "READY=1" }).last == "READY=1")
        #expect(daemon.stop() == .exited(0))

        let log = daemon.process.standardError + daemon.process.standardOutput
        #expect(log.contains("promod has stopped"))
        for word in [host, "ghostapp9c1e", "littory", "stedio"] { #expect(!log.contains(word)) }
        let root = daemon.scratch.path
        var files = 0
        for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
            guard let bytes = FileManager.default.contents(atPath: root + "/" + name) else { continue }
            files += 1
            // Only the catalog may name the apps.
            let isCatalog = name.hasPrefix("cache/promod/catalogs/") && name.hasSuffix("/catalog")
            for word in isCatalog ? [host, "ghostapp9c1e"] : [host, "ghostapp9c1e", "littory"] {
                #expect(!String(decoding: bytes, as: UTF8.self).contains(word), "\(name)")
            }
        }
        #expect(files >= 4)
        #expect(!origin.log.joined().contains(host))
    }
}
