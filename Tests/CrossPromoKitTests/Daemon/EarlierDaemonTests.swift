import CrossPromoKit
import Foundation
import PromoTestSupport
import PromoWire
import Testing

/// Requests to a promod that is older than this library.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct EarlierDaemonTests {
    /// The parameters of the methods in the first protocol.
    private nonisolated static let first: [String: Set<String>] = [
        "list": ["host", "language", "limit", "wait"], "tap": ["app", "host", "language"],
        "impression": ["apps", "host"],
        "launch": ["app"], "review-eligible": ["app", "completed"], "review-request": ["app", "completed"],
        "refresh": ["wait"], "subscribe": ["events", "since", "epoch"], "status": [],
    ]

    /// A daemon that refuses what it does not know, as each promod does.
    private func daemon(
        of protocol: [String: Set<String>] = first, discovery: String? = nil
    ) throws -> ScriptedDaemon {
        let answers = Replies.daemon(hasEvents: true)
        return try ScriptedDaemon { request in
            if request.method == "rpc.discover", let discovery { return .result(discovery) }
            guard let known = `protocol`[request.method] else { return .refusal("unknown-method") }
            guard known.isSuperset(of: request.names) else { return .refusal("invalid-params") }
            if request.strings("events")?.contains("icons") == true { return .refusal("invalid-params") }
            switch request.method {
            case "review-request":
                return .result(
                    #"{"app":"a","granted":true,"reasons":[],"eligibleAt":null,"reviewURL":"https://a.example/review"}"#
                )
            case "launch": return .result("{\"app\":\"a\",\"firstLaunch\":\"\(Replies.fetchedAt)\",\"recorded\":true}")
            default: return answers(request)
            }
        }
    }

    @Test func aListComesAndIsKeptUpToDate() async throws {
        let daemon = try daemon()
        let service = PromoService(
            config: PromoConfig(
                currentAppID: "finebill", socketPath: daemon.path, excludedAppIDs: ["stedio"], hidesLaunchedApps: true,
                loadsIcons: true))
        await service.loadApps()
        #expect(service.state == .loaded && service.error == nil)
        // What the daemon cannot leave out, the library does.
        #expect(service.ids == ["bookary"])
        await daemon.hasSubscribers(1)
        daemon.push(Replies.catalogEvent(1))
        await daemon.wasAsked("list", times: 3)
        #expect(daemon.requests("subscribe").last?.strings("events") == ["catalog"])
    }

    @Test func aReviewOfANewAppIsRequested() async throws {
        let daemon = try daemon()
        let log = LogRecorder()
        var shown: [String] = []
        let pages = AsyncStream<String>.makeStream()
        let service = AppReviewService(
            appID: "a", appStoreID: "7", socketPath: daemon.path, logger: log.logger,
            present: { pages.continuation.yield($0.absoluteString) })
        await service.recordLaunch()
        await service.requestReviewIfEligible()
        pages.continuation.finish()
        for await page in pages.stream { shown.append(page) }
        #expect(shown == ["https://a.example/review"] && log.lines.isEmpty, "\(log.lines)")
    }

    @Test func aRequestNeverMeansAnotherCatalogThanTheApps() async throws {
        let daemon = try daemon()
        let config = PromoConfig(catalog: .named("acme"), currentAppID: "finebill", socketPath: daemon.path)
        let service = PromoService(config: config)
        await service.loadApps()
        #expect(service.error?.code == .badReply && service.apps.isEmpty)
        #expect(service.error?.message.contains("Update promod") == true)
        #expect(service.error?.recoverySuggestion?.contains("Update promod") == true)
        #expect(daemon.requests("list").allSatisfy { $0.string("catalog") == "acme" })
    }

    @Test func aDaemonThatDoesNotKnowNameAndAddressTogetherIsAskedByTheAddress() async throws {
        var methods = Self.first
        methods["list"]?.insert("catalog")
        let known = #"{"methods":[{"name":"list","params":[{"name":"host"},{"name":"language"},{"name":"catalog"}]}]}"#
        let daemon = try ScriptedDaemon { [methods] request in
            if request.method == "rpc.discover" { return .result(known) }
            guard methods[request.method]?.isSuperset(of: request.names) == true else {
                return .refusal("invalid-params")
            }
            guard request.string("catalog") != nil else { return .refusal("invalid-params") }
            return .result(Replies.list(["bookary"]))
        }
        let catalog = PromoCatalog.named("acme", url: try url("https://b.example/mine.json"))
        let service = PromoService(
            config: PromoConfig(catalog: catalog, currentAppID: "finebill", socketPath: daemon.path))
        await service.loadApps()
        #expect(service.ids == ["bookary"])
        #expect(daemon.requests("list").last?.string("catalog") == "https://b.example/mine.json")
    }

    @Test func aRefusalOfWhatTheDaemonKnowsStays() async throws {
        let daemon = try ScriptedDaemon { request in
            request.method == "rpc.discover" ? .refusal("unknown-method") : .refusal("invalid-params")
        }
        let error = try await #require(throws: PromoError.self) {
            try await DaemonClient(socketPath: daemon.path).answer(to: .status)
        }
        #expect(error.code == .refused && error.reason == "invalid-params")
    }

    @Test func aDaemonThatIsBusyIsNotTakenForAnEarlierOne() async throws {
        let daemon = try ScriptedDaemon { request in
            request.method == "rpc.discover" ? .refusal("busy") : .refusal("invalid-params")
        }
        let request = Request.Method.list(ListParameters(unlaunched: true))
        let error = try await #require(throws: PromoError.self) {
            try await DaemonClient(socketPath: daemon.path).answer(to: request)
        }
        #expect(error.reason == "busy" && daemon.requests("list").count == 1)
    }

    @Test func aDaemonOfTheSameVersionIsAskedOnce() async throws {
        let daemon = try ScriptedDaemon(Replies.daemon(hasEvents: true))
        let config = PromoConfig(currentAppID: "finebill", socketPath: daemon.path, loadsIcons: true)
        await PromoService(config: config).loadApps()
        #expect(daemon.requests("list").count == 1 && daemon.requests("rpc.discover").isEmpty)
    }
}
