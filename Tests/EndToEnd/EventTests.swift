import Foundation
import PromoTestSupport
import Testing

/// The built daemon and its subscribers.
struct EventTests {
    private let tap = #"{"method":"tap","app":"bookary","host":"finebill"}"#

    // MARK: Lines

    @Test func eventsAreTheLinesOfTheProtocol() throws {
        let daemon = try DaemonUnderTest()
        let subscriber = try Subscriber(daemon)
        let seq = subscriber.seq
        _ = try daemon.ask(tap)
        _ = try daemon.ask(#"{"method":"impression","apps":["stedio","littory"]}"#)
        let time = #"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"#
        func matches(_ line: String?, _ number: Int, _ rest: String) throws -> Bool {
            let head = #"^\{"jsonrpc":"2\.0","method":"event","params":\{"seq":\#(number),"at":"\#(time)","#
            let pattern = head + NSRegularExpression.escapedPattern(for: rest) + "$"
            return line?.range(of: pattern, options: .regularExpression) != nil
        }
        let events = [
            #""tap","catalog":"default","app":"bookary","host":"finebill","source":"sample""#,
            #""impression","catalog":"default","app":"stedio","host":null,"source":"sample""#,
            #""impression","catalog":"default","app":"littory","host":null,"source":"sample""#,
        ]
        for (number, event) in events.enumerated() {
            #expect(try matches(subscriber.line(), seq + 1 + number, #""event":\#(event)}}"#))
        }
    }

    @Test func theReplyToASubscriptionNamesItsEventsAndWhereItBegins() throws {
        let daemon = try DaemonUnderTest()
        let subscriber = try Subscriber(daemon, #""events":["catalog","tap","impression","tap"]"#)
        #expect(subscriber.subscription.result["subscribed"] as? [String] == ["impression", "tap", "catalog"])
        // The first catalog may have been an event.
        #expect((0...1).contains(subscriber.seq))
        #expect(subscriber.epoch == (try daemon.ask(#"{"method":"status"}"#).result["epoch"] as? String))
        let all = try Subscriber(daemon)
        #expect(all.subscription.result["subscribed"] as? [String] == ["impression", "tap", "catalog", "icons"])
    }

    @Test func kindsAndHostsAreFilteredAndTheNumbersCountAll() throws {
        let daemon = try DaemonUnderTest()
        let subscriber = try Subscriber(daemon, #""events":["tap"],"host":"stedio""#)
        // What is refused has not happened.
        _ = try daemon.ask(#"{"method":"impression","apps":["bookary","ghost"]}"#)
        _ = try daemon.ask(#"{"method":"tap","app":"ghost"}"#)
        _ = try daemon.ask(tap)
        _ = try daemon.ask(#"{"method":"impression","apps":["bookary"],"host":"stedio"}"#)
        _ = try daemon.ask(#"{"method":"tap","app":"bookary"}"#)
        _ = try daemon.ask(#"{"method":"tap","app":"bookary","host":"stedio"}"#)
        #expect(try subscriber.next().seq == subscriber.seq + 4)
    }

    // MARK: Replay

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

    // MARK: The catalog

    /// A daemon with a catalog from nginx.
    private func served(_ settings: [String: String] = [:]) throws -> (DaemonUnderTest, NginxOrigin) {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest(settings: origin.settings.merging(settings) { $1 })
        #expect(try comes { try daemon.ask(#"{"method":"list"}"#).apps.count == 5 })
        return (daemon, origin)
    }

    @Test func aNewGenerationIsAnEventAndAnUnchangedOneIsNot() throws {
        let (daemon, origin) = try served()
        let subscriber = try Subscriber(daemon, #""host":"nobody""#)
        #expect(try daemon.refresh().outcome == "unchanged")
        try origin.publish(SampleFile.renamed)
        let updated = try daemon.refresh()
        let event = try subscriber.next()
        #expect(event.seq == subscriber.seq + 1)
        #expect(event.kind == "catalog")
        #expect(event.event["state"] as? String == "fresh")
        #expect(event.event["generation"] as? String == updated.result["generation"] as? String)
        #expect(Set(event.event.keys) == ["seq", "at", "event", "catalog", "state", "generation"])
    }

    @Test func aFailureIsAnEventAndSoIsItsEndWithTheSameCatalog() throws {
        let (daemon, origin) = try served()
        let subscriber = try Subscriber(daemon, #""events":["catalog"]"#)
        origin.stop()
        #expect(try daemon.refresh().failure == "connect")
        let failed = try subscriber.next()
        try origin.start()
        #expect(try daemon.refresh().outcome == "unchanged")
        let over = try subscriber.next()
        #expect(failed.seq == subscriber.seq + 1)
        #expect(over.seq == subscriber.seq + 2)
        let generations = [failed, over].map { $0.event["generation"] as? String }
        #expect(generations[0] == generations[1])
    }

    @Test func anExpiryIsAnEventEvenWithoutARequest() throws {
        let (daemon, origin) = try served(["refresh.interval": "1s"])
        origin.stop()
        let subscriber = try Subscriber(daemon, #""events":["catalog"],"since":0"#)
        while try subscriber.next().event["state"] as? String != "expired" {}
        #expect(try daemon.catalog()["state"] as? String == "expired")
    }

    @Test func clearIsAnEventAndSoIsTheCatalogThatComesBack() throws {
        let (daemon, origin) = try served()
        let subscriber = try Subscriber(daemon, #""events":["catalog"]"#)
        #expect(try daemon.ask(#"{"method":"clear"}"#).result["cleared"] as? Bool == true)
        var events = [try subscriber.next()]
        #expect(events[0].event["generation"] is NSNull)
        #expect(["empty", "loading"].contains(events[0].event["state"] as? String))
        while events.last?.event["state"] as? String != "fresh" { events.append(try subscriber.next()) }
        #expect(events.last?.event["generation"] is String)
        let states = events.compactMap { $0.event["state"] as? String }
        #expect(zip(states, states.dropFirst()).allSatisfy { $0 != $1 })
        #expect(origin.log.count == 2)
    }

    // MARK: Privacy

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
