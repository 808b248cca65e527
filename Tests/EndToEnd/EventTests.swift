import Foundation
import PromoTestSupport
import Testing

/// The built daemon and its subscribers.
struct EventTests {
    @Test func aSubscriberThatComesBackLearnsWhatItMissed() throws {
        let daemon = try DaemonUnderTest()
        let first = try Subscriber(daemon)
        let apps = Array(repeating: #""bookary""#, count: 100).joined(separator: ",")
        for _ in 0..<20 { _ = try daemon.ask("{\"method\":\"impression\",\"apps\":[\(apps)]}") }
        let (since, epoch) = (first.seq, first.epoch)
        let back = try Subscriber(daemon, "\"since\":\(since),\"epoch\":\"\(epoch)\"")
        #expect(back.seq == since + 976)
        #expect(try back.next(1024).map(\.seq) == Array(since + 977...since + 2000))
        let unknown = try Subscriber(daemon, "\"since\":\(since)")
        #expect(unknown.seq == since + 976)
        let ahead = try Subscriber(daemon, "\"since\":\(since + 5000),\"epoch\":\"\(epoch)\"")
        #expect(ahead.seq == since + 2000)
    }

    /// A daemon with a catalog from nginx.
    private func served(_ settings: [String: String] = [:]) throws -> (DaemonUnderTest, NginxOrigin) {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest(settings: origin.settings.merging(settings) { $1 })
        #expect(try comes { try daemon.ask(#"{"method":"list"}"#).apps.count == 5 })
        return (daemon, origin)
    }

    @Test func anExpiryIsAnEventEvenWithoutARequest() throws {
        let (daemon, origin) = try served(["refresh.interval": "1s"])
        origin.stop()
        let subscriber = try Subscriber(daemon, #""events":["catalog"],"since":0"#)
        while try subscriber.next().event["state"] as? String != "expired" {}
        #expect(try daemon.catalog()["state"] as? String == "expired")
    }

    @Test func impressionsAndTapsAreOnNoDiskAndInNoLog() throws {
        let host = "hostof7f3asecrets"
        let (daemon, origin) = try served(["log.level": "trace"])
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
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains(host), "\(name)")
            #expect(!text.contains("ghostapp9c1e"), "\(name)")
            // Only the catalog may name the apps.
            let isCatalog = name.hasPrefix("cache/promod/catalogs/") && name.hasSuffix("/catalog")
            if !isCatalog { #expect(!text.contains("littory"), "\(name)") }
        }
        #expect(files >= 4)
        #expect(!origin.log.joined().contains(host))
    }
}
