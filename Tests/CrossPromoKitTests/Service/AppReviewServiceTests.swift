import CrossPromoKit
import Foundation
import Glibc
import PromoTestSupport
import Synchronization
import Testing

/// Reviews that are requested through promod, and errors that are only logged.
@Suite(.timeLimit(.minutes(15))) struct AppReviewServiceTests {
    private static let page = "https://apps.apple.com/app/id1?action=write-review"

    private let log = LogRecorder()
    private let presented = Presented()

    /// The pages that were shown.
    private final class Presented: Sendable {
        let urls = Mutex<[String]>([])
    }

    private func service(of daemon: ScriptedDaemon, appID: String = "fittoday", completed: Int = 3) -> AppReviewService
    {
        AppReviewService(
            appID: appID, socketPath: daemon.path, logger: log.logger, completedWorkoutsCount: { completed },
            present: { [presented] url in presented.urls.withLock { $0.append(url.absoluteString) } })
    }

    private static func verdict(_ member: String, _ reasons: [String] = [], reviewURL: String? = page) -> String {
        let words = reasons.map { "\"\($0)\"" }.joined(separator: ",")
        let url = reviewURL.map { "\"\($0)\"" } ?? "null"
        return """
            {"app":"fittoday","\(member)":\(reasons.isEmpty),"reasons":[\(words)],"eligibleAt":null,"reviewURL":\(url)}
            """
    }

    private var shown: [String] { presented.urls.withLock { $0 } }

    @Test func aGrantMeansEligibleAndARefusalDoesNot() async throws {
        let daemon = try ScriptedDaemon { request in
            .result(Self.verdict("eligible", request.integer("completed") == 5 ? [] : ["too-few-completions"]))
        }
        let service = service(of: daemon)
        #expect(await service.isEligible(completedWorkoutsCount: 5))
        #expect(log.lines.isEmpty)
        #expect(await !service.isEligible(completedWorkoutsCount: -3))
        #expect(daemon.requests.map { $0.integer("completed") } == [5, 0])
        #expect(shown.isEmpty)
        #expect(log.lines == ["debug: No review is asked for now app=fittoday reasons=too-few-completions"])
    }

    @Test func thePageIsThatOfTheServiceAndALaunchIsAboutNoCatalog() async throws {
        let daemon = try ScriptedDaemon { _ in .result(Self.verdict("eligible")) }
        let service = AppReviewService(
            appID: "fittoday", page: URL(string: "https://example.com/review?x=1"), catalog: .named("acme"),
            socketPath: daemon.path, logger: log.logger)
        _ = await service.isEligible(completedWorkoutsCount: 3)
        await service.requestReviewIfEligible()
        await service.recordLaunch()
        let page = "https://example.com/review?x=1"
        #expect(daemon.requests.map(\.method) == ["review-eligible", "review-request", "launch"])
        #expect(daemon.requests.map { $0.string("app") } == ["fittoday", "fittoday", "fittoday"])
        #expect(daemon.requests.map { $0.string("page") } == [page, page, nil])
        #expect(daemon.requests.map { $0.string("catalog") } == ["acme", "acme", nil])
    }

    @Test func theNumberThatIsEnoughIsThatOfTheServiceOrLeftOut() async throws {
        let daemon = try ScriptedDaemon { _ in .result(Self.verdict("eligible")) }
        for minimum in [5, 0, nil] {
            let service = AppReviewService(
                appID: "fittoday", minimumCompletions: minimum, socketPath: daemon.path, logger: log.logger)
            _ = await service.isEligible(completedWorkoutsCount: 5)
            await service.requestReviewIfEligible()
        }
        #expect(daemon.requests.map { $0.integer("minimum") } == [5, 5, 1, 1, nil, nil])
        #expect(daemon.requests.allSatisfy { !$0.names.contains("needsPage") })
    }

    @Test func withoutACountOfItsOwnARequestIsAboutTheLastOneThatWasAskedAbout() async throws {
        let daemon = try ScriptedDaemon { _ in .result(Self.verdict("eligible")) }
        let service = AppReviewService(
            appID: "fittoday", appStoreID: "6470000001", socketPath: daemon.path, logger: log.logger)
        await service.requestReviewIfEligible()
        _ = await service.isEligible(completedWorkoutsCount: 4)
        await service.requestReviewIfEligible()
        #expect(daemon.requests.map { $0.integer("completed") } == [0, 4, 4])
        #expect(daemon.requests.allSatisfy { $0.string("appStoreID") == "6470000001" })
    }

    @Test func aReviewThatIsGrantedIsShown() async throws {
        let daemon = try ScriptedDaemon { _ in .result(Self.verdict("granted")) }
        await service(of: daemon, completed: 7).requestReviewIfEligible()
        #expect(daemon.requests.map { $0.integer("completed") } == [7])
        #expect(shown == [Self.page])
        #expect(log.lines.isEmpty)
    }

    @Test(arguments: [nil, "http://a.example"] as [String?])
    func aReviewWithoutAPageIsNotShownAndTheLogSaysSo(reviewURL: String?) async throws {
        let daemon = try ScriptedDaemon { _ in .result(Self.verdict("granted", reviewURL: reviewURL)) }
        await service(of: daemon).requestReviewIfEligible()
        #expect(shown.isEmpty)
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.hasPrefix("notice: A review was granted") == true)
        #expect(log.lines.first?.hasSuffix(" app=fittoday") == true)
    }

    @Test(
        arguments: [
            (.refusal("not-stored"), "No: not-stored."), (.end, "promod ended the connection"),
            (.result("{}"), "promod answered with a result"),
            (
                .result(#"{"app":"fittoday","eligible":true,"granted":true,"reasons":["a-later-reason"]}"#),
                "promod answered with a result"
            ),
        ] as [(ScriptedDaemon.Answer, String)])
    func aFailureIsLoggedAndNothingIsShown(answer: ScriptedDaemon.Answer, words: String) async throws {
        let daemon = try ScriptedDaemon { _ in answer }
        let service = service(of: daemon)
        #expect(await !service.isEligible(completedWorkoutsCount: 9))
        await service.requestReviewIfEligible()
        #expect(shown.isEmpty)
        let failure = "warning: A request about a review failed app=fittoday error=\(words)"
        #expect(log.lines.map { String($0.prefix(failure.count)) } == [failure, failure])
    }

    @Test func cancellingDuringTheCountSpendsNoRequest() async throws {
        let daemon = try ScriptedDaemon { _ in .result(Self.verdict("granted")) }
        let counts = AsyncStream<Void>.makeStream()
        let service = AppReviewService(
            appID: "fittoday", socketPath: daemon.path, logger: log.logger,
            completedWorkoutsCount: {
                for await _ in counts.stream {}
                return 3
            })
        let request = Task { await service.requestReviewIfEligible() }
        request.cancel()
        await request.value
        #expect(daemon.requests.isEmpty)
    }

    @Test func theLogHasThePageThatTheDesktopCannotOpen() async {
        await #expect(processExitsWith: .success) {
            let daemon = try ScriptedDaemon { _ in .result(Self.verdict("granted")) }
            let log = LogRecorder()
            setenv("PATH", "/nowhere", 1)
            await AppReviewService(appID: "fittoday", socketPath: daemon.path, logger: log.logger)
                .requestReviewIfEligible()
            let lines = log.lines
            #expect(daemon.requests.count == 1)
            try #require(lines.count == 1)
            #expect(lines[0].hasPrefix("warning: A review was granted, but the desktop could not open its page "))
            #expect(lines[0].hasSuffix(" app=fittoday url=\(Self.page)"))
        }
    }
}
