import Foundation
import Glibc
import PromoTestSupport
import Testing

/// The built daemon and its subscribers.
@Suite(.serialized) struct EventTests {
    private let tap = #"{"method":"tap","app":"bookary","host":"finebill"}"#

    /// An impression of that many apps, which causes as many events.
    private func impressions(_ count: Int = 100, host: String = "finebill", strict: Bool = false) -> String {
        let apps = Array(repeating: #""bookary""#, count: count).joined(separator: ",")
        let parameters = "\"apps\":[\(apps)],\"host\":\"\(host)\""
        return strict
            ? "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"impression\",\"params\":{\(parameters)}}"
            : "{\"method\":\"impression\",\(parameters)}"
    }

    private func subscribers(_ daemon: DaemonUnderTest) throws -> Int {
        try daemon.ask(#"{"method":"status"}"#).object("socket")["subscribers"] as? Int ?? -1
    }

    private func descriptors(_ daemon: DaemonUnderTest) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon.process.pid)/fd").count
    }

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
        #expect(
            try matches(
                subscriber.line(), seq + 1,
                #""event":"tap","catalog":"default","app":"bookary","host":"finebill","source":"sample"}}"#))
        #expect(
            try matches(
                subscriber.line(), seq + 2,
                #""event":"impression","catalog":"default","app":"stedio","host":null,"source":"sample"}}"#))
        #expect(
            try matches(
                subscriber.line(), seq + 3,
                #""event":"impression","catalog":"default","app":"littory","host":null,"source":"sample"}}"#))
    }

    @Test func theReplyToASubscriptionNamesItsEventsAndWhereItBegins() throws {
        let daemon = try DaemonUnderTest()
        let subscriber = try Subscriber(daemon, #""events":["catalog","tap","impression","tap"]"#)
        #expect(subscriber.subscription.result["subscribed"] as? [String] == ["impression", "tap", "catalog"])
        // The first catalog may have been an event.
        #expect((0...1).contains(subscriber.seq))
        #expect(subscriber.epoch == (try daemon.ask(#"{"method":"status"}"#).result["epoch"] as? String))
        let (all, one) = (try Subscriber(daemon), try Subscriber(daemon, #""events":["tap"]"#))
        #expect(all.subscription.result["subscribed"] as? [String] == ["impression", "tap", "catalog", "icons"])
        #expect(one.subscription.result["subscribed"] as? [String] == ["tap"])
    }

    @Test func whatIsRefusedHasNotHappened() throws {
        let daemon = try DaemonUnderTest()
        let subscriber = try Subscriber(daemon)
        _ = try daemon.ask(#"{"method":"impression","apps":["bookary","ghost"]}"#)
        _ = try daemon.ask(#"{"method":"tap","app":"ghost"}"#)
        _ = try daemon.ask(tap)
        let event = try subscriber.next()
        #expect(event.seq == subscriber.seq + 1)
        #expect(event.kind == "tap")
    }

    @Test func kindsAndHostsAreFilteredAndTheNumbersCountAll() throws {
        let daemon = try DaemonUnderTest()
        let subscriber = try Subscriber(daemon, #""events":["tap"],"host":"stedio""#)
        _ = try daemon.ask(tap)
        _ = try daemon.ask(#"{"method":"impression","apps":["bookary"],"host":"stedio"}"#)
        _ = try daemon.ask(#"{"method":"tap","app":"bookary"}"#)
        _ = try daemon.ask(#"{"method":"tap","app":"bookary","host":"stedio"}"#)
        #expect(try subscriber.next().seq == subscriber.seq + 4)
    }

    @Test func aSecondSubscriptionReplacesTheFirstAndOtherRequestsGoOnWorking() throws {
        let daemon = try DaemonUnderTest()
        let subscriber = try Subscriber(daemon, #""host":"finebill""#)
        subscriber.send(#"{"method":"list","limit":1}"#)
        #expect(try subscriber.next().apps.count == 1)
        try subscriber.subscribe(#""host":"stedio""#)
        _ = try daemon.ask(tap)
        _ = try daemon.ask(#"{"method":"tap","app":"bookary","host":"stedio"}"#)
        #expect(try subscriber.next().event["host"] as? String == "stedio")
        subscriber.send("nonsense")
        #expect(try subscriber.next().reason == "parse-error")
        #expect(try subscribers(daemon) == 1)
    }

    // MARK: Order

    @Test func anEventComesAfterTheReplyToTheRequestThatCausedIt() throws {
        let daemon = try DaemonUnderTest()
        let subscriber = try Subscriber(daemon)
        let count = 1500
        let taps = (0..<count).map {
            "{\"jsonrpc\":\"2.0\",\"id\":\($0),\"method\":\"tap\",\"params\":{\"app\":\"bookary\"}}\n"
        }
        let writer = Thread { [socket = subscriber.socket] in socket.send(taps.joined()) }
        writer.start()
        var (replies, events) = (0, 0)
        for line in try subscriber.next(2 * count) {
            if line.isReply {
                #expect(line.object["id"] as? Int == replies)
                replies += 1
            } else {
                events += 1
                #expect(line.seq == subscriber.seq + events)
                #expect(events <= replies)
            }
        }
        #expect(replies == count)
        #expect(events == count)
    }

    @Test func theEventsOfABatchComeAfterItsLine() throws {
        let daemon = try DaemonUnderTest()
        let subscriber = try Subscriber(daemon)
        let call = #"{"jsonrpc":"2.0","id":1,"method":"tap","params":{"app":"bookary"}}"#
        let notification = #"{"jsonrpc":"2.0","method":"tap","params":{"app":"stedio"}}"#
        subscriber.send("[\(call),\(notification),\(call)]\n[\(notification)]")
        let line = try #require(subscriber.line())
        #expect((try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any])?.count == 2)
        let events = try subscriber.next(4)
        #expect(events.map(\.seq) == (1...4).map { subscriber.seq + $0 })
        #expect(events.map { $0.event["app"] as? String } == ["bookary", "stedio", "bookary", "stedio"])
    }

    @Test func eventsThatABatchReplaysComeAfterItsResult() throws {
        let (daemon, origin) = try served()
        _ = try daemon.ask(tap)
        let stall = try Stall(origin, of: daemon)
        let subscriber = try Subscriber(daemon, #""events":["catalog"]"#)
        subscriber.send(
            """
            [{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"events":["tap"],"since":0}},\
            {"jsonrpc":"2.0","id":2,"method":"refresh"}]
            """)
        #expect(try stall.isJoined())
        // When this is answered, the daemon has had time to get the order wrong.
        _ = try daemon.ask(#"{"method":"status"}"#)
        stall.end()
        #expect(try #require(subscriber.line()).hasPrefix("[{"))
        #expect(try subscriber.next().kind == "tap")
    }

    @Test func aWaitingRefreshHoldsBackRepliesAndEventsOnlyInABatch() throws {
        let (daemon, origin) = try served()
        let subscriber = try Subscriber(daemon, #""events":["tap"]"#)
        let batcher = try Subscriber(daemon, #""events":["tap"]"#)
        let stall = try Stall(origin, of: daemon)
        subscriber.send(#"{"method":"refresh","id":"refresh"}"# + "\n" + #"{"method":"list","id":"list"}"#)
        batcher.send(
            """
            [{"jsonrpc":"2.0","id":1,"method":"list"},{"jsonrpc":"2.0","id":2,"method":"refresh"},\
            {"jsonrpc":"2.0","id":3,"method":"list"}]
            """)
        #expect(try stall.isJoined(by: 2))
        _ = try daemon.ask(tap)
        #expect(try subscriber.next().kind == "tap")
        stall.end()
        #expect(try subscriber.next(2).map { $0.object["id"] as? String } == ["refresh", "list"])
        let line = try #require(batcher.line())
        let batch = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[String: Any]]
        #expect(batch?.map { $0["id"] as? Int } == [1, 2, 3])
        #expect(try batcher.next().kind == "tap")
    }

    @Test func eventsNeverSplitTheLineOfABatchThatIsPartlySent() throws {
        let (daemon, origin) = try served()
        let subscriber = try Subscriber(daemon, #""events":["tap"]"#)
        let stall = try Stall(origin, of: daemon)
        let list = #"{"jsonrpc":"2.0","id":1,"method":"list","params":{"language":"*"}}"#
        let lists = Array(repeating: list, count: 99).joined(separator: ",")
        subscriber.send("[\(lists),{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"refresh\"}]")
        #expect(try stall.isJoined())
        for _ in 0..<10 { _ = try daemon.ask(tap) }
        stall.end()
        let line = try #require(subscriber.line())
        #expect(line.utf8.count > 65_536)
        #expect((try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any])?.count == 100)
        #expect(try subscriber.next(10).map(\.seq) == (1...10).map { subscriber.seq + $0 })
    }

    // MARK: Replay

    @Test func aSubscriberThatComesBackLearnsWhatItMissed() throws {
        let daemon = try DaemonUnderTest()
        let first = try Subscriber(daemon)
        for _ in 0..<20 { _ = try daemon.ask(impressions()) }
        let (since, epoch) = (first.seq, first.epoch)
        let back = try Subscriber(daemon, "\"since\":\(since),\"epoch\":\"\(epoch)\"")
        #expect(back.seq == since + 976)
        #expect(try back.next(1024).map(\.seq) == Array(since + 977...since + 2000))
        let unknown = try Subscriber(daemon, "\"since\":\(since)")
        #expect(unknown.seq == since + 976)
        let ahead = try Subscriber(daemon, "\"since\":\(since + 5000),\"epoch\":\"\(epoch)\"")
        #expect(ahead.seq == since + 2000)
    }

    @Test func aSubscriberThatComesBackAfterARestartSeesAnotherEpoch() throws {
        let scratch = try ScratchDirectory()
        let first = try DaemonUnderTest(in: scratch)
        let subscriber = try Subscriber(first)
        _ = try first.ask(tap)
        let last = try subscriber.next().seq
        #expect(first.stop() == .exited(0))
        #expect(try subscriber.rest().isEmpty)
        #expect(subscriber.isAtEnd)
        let second = try DaemonUnderTest(in: scratch)
        _ = try second.ask(#"{"method":"tap","app":"stedio"}"#)
        let back = try Subscriber(second, "\"events\":[\"tap\"],\"since\":\(last),\"epoch\":\"\(subscriber.epoch)\"")
        #expect(back.epoch != subscriber.epoch)
        #expect(back.seq == 0)
        #expect(try back.next().event["app"] as? String == "stedio")
    }

    @Test func aScriptThatClosesItsWriteSideGetsAllThatIsReplayed() throws {
        let daemon = try DaemonUnderTest()
        let host = String(repeating: "h", count: 255)
        for _ in 0..<11 { _ = try daemon.ask(impressions(host: host)) }
        let socket = try daemon.connect()
        socket.send(#"{"method":"subscribe","since":0}"#)
        socket.shutdownWriting()
        #expect(try comes { try subscribers(daemon) <= 1 })
        let lines = try socket.readToEnd().map(Reply.init)
        #expect(try #require(lines.first?.result["since"] as? Int) >= 76)
        #expect(lines.count == 1025)
    }

    // MARK: Falling behind

    @Test func oneLineThatCausesAThousandEventsDisconnectsNoSubscriber() throws {
        let daemon = try DaemonUnderTest()
        let subscriber = try Subscriber(daemon)
        let one = impressions(host: String(repeating: "h", count: 255), strict: true)
        _ = try daemon.ask("[\(Array(repeating: one, count: 10).joined(separator: ","))]")
        let events = try subscriber.next(1000)
        #expect(events.map(\.seq) == (1...1000).map { subscriber.seq + $0 })
        #expect(events.allSatisfy { $0.kind == "impression" })
    }

    @Test func aSubscriberThatCausesTooManyEventsGetsItsRepliesAndHarmsNoOther() throws {
        let daemon = try DaemonUnderTest()
        let subscriber = try Subscriber(daemon)
        subscriber.send("[\(Array(repeating: impressions(strict: true), count: 40).joined(separator: ","))]")
        let line = try #require(subscriber.line())
        let replies = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[String: Any]]
        #expect(replies?.count == 40)
        let last = try Reply(try #require(subscriber.line()))
        #expect(last.kind == "lagged")
        #expect(subscriber.line() == nil && subscriber.isAtEnd)
        #expect(try daemon.ask(#"{"method":"list"}"#).apps.count == 5)
        #expect(try subscribers(daemon) == 0)
    }

    @Test func theLastLineNeverBreaksTheLineOfAnUnfinishedBatch() throws {
        let (daemon, origin) = try served()
        let stalled = try Subscriber(daemon, #""events":["impression"]"#)
        let stall = try Stall(origin, of: daemon)
        stalled.send(
            #"[{"jsonrpc":"2.0","id":1,"method":"list"},{"jsonrpc":"2.0","id":2,"method":"refresh"}]"#)
        #expect(try stall.isJoined())
        for _ in 0..<100 { _ = try daemon.ask(impressions()) }
        stall.end()
        var last = ""
        while let line = stalled.line() {
            last = line
            #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(line.prefix(200))")
        }
        #expect(try Reply(last).kind == "lagged")
        #expect(stalled.isAtEnd)
    }

    // MARK: Coming and going

    @Test func statusCountsTheSubscribersAndTheSubscriptions() throws {
        let daemon = try DaemonUnderTest()
        let clients = try [Subscriber(daemon), Subscriber(daemon)]
        try clients[0].subscribe(#""events":["tap"]"#)
        let status = try daemon.ask(#"{"method":"status"}"#)
        #expect(status.object("socket")["subscribers"] as? Int == 2)
        #expect(status.object("requests")["subscribe"] as? Int == 3)
    }

    @Test func subscribersThatGoAwayLeakNothing() throws {
        let daemon = try DaemonUnderTest()
        #expect(try subscribers(daemon) == 0)
        #expect(try comes { try daemon.ask(#"{"method":"status"}"#).object("socket")["connections"] as? Int == 1 })
        let before = try descriptors(daemon)
        for round in 0..<10 {
            var clients = try (0..<10).map { _ in try Subscriber(daemon) }
            // Some leave with unread lines, some after falling behind.
            for _ in 0..<(round == 9 ? 100 : 3) { _ = try daemon.ask(impressions()) }
            clients.removeAll()
        }
        #expect(try comes { try subscribers(daemon) == 0 })
        #expect(try comes { try descriptors(daemon) <= before })
        _ = try daemon.ask(tap)
        #expect(daemon.stop() == .exited(0))
    }

    // MARK: The catalog

    /// A daemon with a catalog from nginx.
    private func served(_ environment: [String: String] = [:]) throws -> (DaemonUnderTest, NginxOrigin) {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest(
            environment: ["PROMOD_CATALOG_CA_FILE": origin.caFile].merging(environment) { $1 }, "--catalog-url",
            origin.url)
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
        #expect(event.event["state"] as? String == "loaded")
        #expect(event.event["generation"] as? String == updated.result["generation"] as? String)
        #expect(Set(event.event.keys) == ["seq", "at", "event", "catalog", "state", "generation"])
    }

    @Test func anExpiryIsAnEventEvenWithoutARequest() throws {
        let (daemon, origin) = try served(["PROMOD_REFRESH_INTERVAL": "1s"])
        origin.stop()
        let subscriber = try Subscriber(daemon, #""events":["catalog"],"since":0"#)
        var events = [try subscriber.next()]
        while events.last?.event["state"] as? String != "cached" { events.append(try subscriber.next()) }
        #expect(events.last?.event["state"] as? String == "cached")
        #expect(events.last?.event["generation"] is String)
        #expect(try daemon.catalog()["state"] as? String == "cached")
    }

    @Test func clearIsAnEventAndSoIsTheCatalogThatComesBack() throws {
        let (daemon, origin) = try served()
        let subscriber = try Subscriber(daemon, #""events":["catalog"]"#)
        #expect(try daemon.ask(#"{"method":"clear"}"#).result["cleared"] as? Bool == true)
        var events = [try subscriber.next()]
        #expect(events[0].event["generation"] is NSNull)
        #expect(["empty", "loading"].contains(events[0].event["state"] as? String))
        while events.last?.event["state"] as? String != "loaded" { events.append(try subscriber.next()) }
        #expect(events.last?.event["generation"] is String)
        let states = events.compactMap { $0.event["state"] as? String }
        #expect(zip(states, states.dropFirst()).allSatisfy { $0 != $1 })
        #expect(origin.log.count == 2)
    }

    // MARK: Privacy

    @Test func impressionsAndTapsAreOnNoDiskAndInNoLog() throws {
        let host = "hostof7f3asecrets"
        let (daemon, origin) = try served(["PROMOD_LOG_LEVEL": "trace"])
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

/// Stops an origin, which then accepts connections but does not answer until the stall ends, and begins a fetch that refreshes join.
private final class Stall {
    private let origin: NginxOrigin
    private let daemon: DaemonUnderTest
    private var processes: [pid_t]
    private var refreshes = 0

    init(_ origin: NginxOrigin, of daemon: DaemonUnderTest) throws {
        (self.origin, self.daemon) = (origin, daemon)
        let text = origin.scratch.read("nginx.pid").trimmingCharacters(in: .whitespacesAndNewlines)
        guard let master = pid_t(text) else { throw TestFailure("nginx has no pid") }
        let children = try String(contentsOfFile: "/proc/\(master)/task/\(master)/children", encoding: .utf8)
        processes = children.split(separator: " ").compactMap { pid_t($0) }
        for process in processes { kill(process, SIGSTOP) }
        guard try comes({ try daemon.ask(#"{"method":"refresh","wait":false}"#).outcome == "started" }) else {
            throw TestFailure("no fetch begins")
        }
        refreshes = try daemon.status("requests", "refresh")
    }

    deinit {
        end()
    }

    /// Whether the daemon reads so many refreshes.
    func isJoined(by count: Int = 1) throws -> Bool {
        try comes { try daemon.status("requests", "refresh") >= refreshes + count }
    }

    func end() {
        for process in processes { kill(process, SIGCONT) }
        processes = []
    }
}
