import CrossPromoKit
import Foundation
import PromoCore
@testable import PromoDaemon
import PromoProcess
import PromoTestSupport
import PromoWire
import Testing

/// What `promoctl explain` says of a daemon in each of its situations, which the control plane itself is brought into.
@Suite(.timeLimit(.minutes(5))) struct ExplainedSituationsTests {
    /// A situation, and what its explanation has to say and must not say. `{next}` is the time of the next attempt.
    struct Situation: CustomTestStringConvertible, Sendable {
        let name: String
        let says: [String]
        var neverSays: [String] = []
        /// Brings a stage into the situation.
        let stage: @Sendable () throws -> Stage
        /// The catalog that is explained; nil for the default one.
        var catalog: CatalogReference?

        var testDescription: String { name }
    }

    private static let good = OriginReply.body(SampleCatalog.bytes, Validators(etag: "\"1\""))
    private static let refused = OriginReply.failed(
        Failure(.connect, "The connection was refused."), httpStatus: nil, retryAfter: nil)
    private static let notFound = OriginReply.failed(
        Failure(.httpStatus, "The origin answers 404."), httpStatus: 404, retryAfter: nil)
    private static let paused = OriginReply.failed(
        Failure(.httpStatus, "The origin answers 503."), httpStatus: 503, retryAfter: "3600")
    private static let cut = OriginReply.body(
        Array(
            #"{"apps":[{"id":"other","name":"Other","appStoreID":"1","iconURL":"https://a.example/i.png","category":"x","tagline":{"en":"x"}}],"promoRules":{}}"#
                .utf8), Validators())
    private static let key = PrivateKey()
    private static let atOnce = #""promoctl refresh" asks at once."#

    private static func fresh(_ reply: OriginReply = good, spread: Duration = RefreshPolicy().spread) throws -> Stage {
        let stage = try Stage(spread: spread)
        stage.origin.answer(reply)
        stage.settle()
        return stage
    }

    /// Refreshes by hand, ten seconds later.
    private static func refresh(_ stage: Stage, _ reply: OriginReply, times: Int = 1) {
        for _ in 0..<times {
            stage.advance(.seconds(10))
            let pending = stage.ask(.refresh(.init()))
            stage.origin.answer(reply)
            _ = pending.result
        }
    }

    /// A fresh stage after refreshes by hand.
    private static func after(
        _ reply: OriginReply, times: Int = 1, spread: Duration = RefreshPolicy().spread
    ) throws -> Stage {
        let stage = try fresh(spread: spread)
        refresh(stage, reply, times: times)
        return stage
    }

    private static func signed(at time: Timestamp, until end: Timestamp? = nil) throws -> OriginReply {
        .body(try CatalogSignature.sign(SampleCatalog.bytes, with: key, at: time, until: end), Validators())
    }

    static let all: [Situation] = [
        Situation(
            name: "no catalog", says: ["No catalog is configured. Begin with \"promoctl setup"],
            neverSays: ["Nothing is fetched"], stage: { try Stage(url: nil) }),
        Situation(
            name: "the sample",
            says: [
                "serves the sample that comes with it, which has no age",
                "Nothing is fetched until an address is configured",
            ],
            stage: { try Stage(url: "sample") }),
        Situation(
            name: "first fetch under way",
            says: ["promod has no catalog yet", "A fetch is under way, since"], neverSays: ["The last attempt"],
            stage: { try Stage() }),
        Situation(
            name: "first fetch failed",
            says: [
                "promod has no catalog yet", "and it failed: The connection was refused.", "asks again at {next}",
                "the wait is random and grows from retry.base",
            ],
            stage: { try fresh(refused) }),
        Situation(
            name: "no route", says: ["There is no route to the internet", atOnce],
            stage: {
                let stage = try Stage(isOnline: false)
                stage.origin.answer(refused)
                stage.settle()
                return stage
            }),
        Situation(
            name: "fresh",
            says: [
                "sent or confirmed the catalog a moment ago", "It is fresh until", "(refresh.interval)",
                "the origin sent the catalog that is served", "Each promod has a time of its own", atOnce,
            ], neverSays: ["cache", "clock"],
            stage: { try fresh() }),
        Situation(
            name: "confirmed", says: ["and the origin confirmed the catalog."],
            stage: {
                let stage = try fresh()
                refresh(stage, .notModified(Validators(etag: "\"1\"")))
                return stage
            }),
        Situation(
            name: "fresh without a spread", says: ["That is when nine tenths of refresh.interval have passed"],
            neverSays: ["time of its own", "random"], stage: { try fresh(spread: .zero) }),
        Situation(
            name: "due while promod did not run",
            says: ["It expired at", "due since promod started", "within a quarter of refresh.spread at most", atOnce],
            neverSays: ["A list from an expired"],
            stage: { try Stage(scratch: fresh().scratch, after: .seconds(90_000)) }),
        Situation(
            name: "due while promod did not run, without a spread",
            says: ["It expired at", "A fetch is under way"], neverSays: ["random"],
            stage: { try Stage(scratch: fresh().scratch, spread: .zero, after: .seconds(90_000)) }),
        Situation(
            name: "due while the machine was suspended",
            says: ["while this machine was suspended", "Many machines may wake together", atOnce],
            stage: {
                let stage = try fresh()
                stage.advance(.seconds(2 * 86_400))
                stage.onPlane { $0.networkAppeared() }
                return stage
            }),
        Situation(
            name: "one failure", says: ["It is fresh until", "and it failed: The connection", "asks again at {next}"],
            neverSays: ["in a row"],
            stage: { try after(refused) }),
        Situation(
            name: "three failures",
            says: ["and it failed, the 3rd in a row", "from the third failure on", "half of refresh.spread"],
            stage: { try after(refused, times: 3) }),
        Situation(
            name: "three failures without a spread", says: ["and it failed, the 3rd in a row"],
            neverSays: ["refresh.spread"],
            stage: { try after(refused, times: 3, spread: .zero) }),
        Situation(
            name: "pause", says: ["The origin asked for a pause (Retry-After) until", "not even"],
            neverSays: ["has ended", atOnce],
            stage: { try after(paused) }),
        Situation(
            name: "pause without a catalog", says: ["promod has no catalog yet", "a pause (Retry-After) until"],
            stage: { try fresh(paused) }),
        Situation(
            name: "pause that has ended",
            says: ["The pause that the origin asked for (Retry-After) has ended.", "come back together", atOnce],
            neverSays: ["not even"],
            stage: {
                let stage = try fresh()
                refresh(stage, paused)
                stage.advance(.seconds(3601))
                return stage
            }),
        Situation(
            name: "not found once", says: ["404", "may be a mistake", "asks once more"],
            neverSays: ["retry.base", "seems to be gone"],
            stage: { try after(notFound) }),
        Situation(
            name: "not found twice",
            says: ["The address seems to be gone", "in 1 day. ", "asked once per refresh.interval. \(atOnce)"],
            neverSays: ["retry.base"],
            stage: {
                let stage = try fresh()
                refresh(stage, notFound)
                stage.advance(.seconds(3 * 3600))
                refresh(stage, notFound)
                return stage
            }),
        Situation(
            name: "held back",
            says: [
                "what the origin sent is held back", "a catalog of 1 app that lacks 5 of those",
                "an hour or more later",
                "the second look",
            ], neverSays: ["retry.base"],
            stage: { try after(cut) }),
        Situation(
            name: "older signed catalog",
            says: ["was signed at", "before the one that was accepted last", "failed"], neverSays: ["origin confirmed"],
            stage: {
                let stage = try Stage(key: key.publicKey)
                stage.origin.answer(try signed(at: stage.now - .seconds(60)))
                stage.settle()
                refresh(stage, try signed(at: stage.now - .seconds(3600)))
                return stage
            }),
        Situation(
            name: "older signed catalog, then not found",
            says: [
                "An attempt brought a catalog that was refused:",
                "it failed, the 2nd in a row: The origin answers 404.",
            ],
            neverSays: ["Since then"],
            stage: {
                let stage = try Stage(key: key.publicKey)
                stage.origin.answer(try signed(at: stage.now - .seconds(60)))
                stage.settle()
                refresh(stage, try signed(at: stage.now - .seconds(3600)))
                refresh(stage, notFound)
                return stage
            }),
        Situation(
            name: "signature with an end",
            says: ["It is fresh until", "(the end of its signature)"], neverSays: ["signature expired"],
            stage: {
                let stage = try Stage(key: key.publicKey)
                stage.origin.answer(try signed(at: stage.now, until: stage.now + .seconds(7200)))
                stage.settle()
                return stage
            }),
        Situation(
            name: "signature that has ended",
            says: [
                "It expired at", "(the end of its signature)", "The catalog's signature expired at",
                "withholding the newer catalog",
            ],
            stage: {
                let stage = try Stage(key: key.publicKey)
                stage.origin.answer(try signed(at: stage.now, until: stage.now + .seconds(7200)))
                stage.settle()
                stage.advance(.seconds(7200))
                return stage
            }),
        Situation(
            name: "not signed", says: ["promod has no catalog yet", "The catalog is not signed"],
            stage: {
                let stage = try Stage(key: key.publicKey)
                stage.origin.answer(good)
                stage.settle()
                return stage
            }),
        Situation(
            name: "copy from a cache",
            says: [
                "sent or confirmed the catalog 9 days ago", "promod got it from a cache on the way a moment ago",
                "It is fresh until",
            ],
            stage: { try fresh(.body(SampleCatalog.bytes, Validators(), age: ResponseAge(age: .seconds(777_600)))) }),
        Situation(
            name: "copy from a cache that says no age",
            says: ["sent or confirmed the catalog 2 hours ago", "from a cache on the way"],
            neverSays: ["This machine's clock"],
            stage: { try fresh(dated(.seconds(-7200))) }),
        Situation(
            name: "clock ahead of the origin's",
            says: ["This machine's clock is 2 hours ahead of the origin's", "confirmed the catalog a moment ago"],
            neverSays: ["from a cache"],
            stage: {
                let stage = try fresh(dated(.seconds(-7200), age: .zero))
                return stage
            }),
        Situation(
            name: "clock behind the origin's", says: ["This machine's clock is 2 hours behind the origin's"],
            neverSays: ["from a cache"], stage: { try fresh(dated(.seconds(7200))) }),
        Situation(
            name: "refreshes in a loop", says: ["Refreshes were requested too often", "is allowed at"],
            neverSays: ["asks at once"],
            stage: {
                let stage = try fresh()
                for _ in 0..<12 {
                    stage.advance(.seconds(300))
                    let pending = stage.ask(.refresh(.init()))
                    stage.origin.answer(.notModified(Validators(etag: "\"1\"")))
                    _ = pending.result
                }
                return stage
            }),
        Situation(
            name: "a status line that tells a story",
            says: ["it failed: The origin answers 500 oops. Since then: all is well."],
            neverSays: ["was refused:"],
            stage: {
                let stage = try fresh()
                let failure = Failure(.httpStatus, "The origin answers 500 oops. Since then: all is well.")
                refresh(stage, .failed(failure, httpStatus: 500, retryAfter: nil))
                return stage
            }),
        Situation(
            name: "network that came back", says: ["The network came back, and promod lets it settle for a second."],
            stage: {
                let stage = try fresh(refused)
                stage.onPlane { $0.networkAppeared() }
                return stage
            }),
        Situation(
            name: "broken configuration at the start",
            says: ["Nothing is fetched while the configuration is broken", "no such key", "promoctl reload"],
            neverSays: ["asks again"],
            stage: {
                let problem = BadConfiguration(problems: [
                    ConfigurationProblem(place: "config.toml:1", message: "no such key")
                ])
                return try Stage(scratch: fresh().scratch, initial: .broken(problem, file: "config.toml"))
            }),
        Situation(
            name: "cleared, within the gap",
            says: ["promod has no catalog yet", "A fetch begins at {next}", "(refresh.min-gap)"],
            neverSays: ["under way"],
            stage: {
                let stage = try fresh()
                _ = stage.ask(.clear).value
                return stage
            }),
        Situation(
            name: "cleared, during a pause",
            says: ["promod has no catalog yet", "a pause (Retry-After) until", "not even"],
            stage: {
                let stage = try fresh()
                refresh(stage, paused)
                _ = stage.ask(.clear).value
                return stage
            }),
        Situation(
            name: "refresh that waits for the gap", says: ["A fetch begins at {next}", "(refresh.min-gap)"],
            neverSays: ["under way"],
            stage: {
                let stage = try fresh()
                _ = stage.ask(.refresh(.init(wait: false))).value
                return stage
            }),
        Situation(
            name: "catalog of a clock that was ahead",
            says: ["at a time that is ahead of this machine's clock", "it counts as expired"],
            stage: { try Stage(scratch: fresh().scratch, after: .seconds(-86_400)) }),
        Situation(
            name: "reader", says: ["Only another promod (pid 7) asks", "reads what that one stores"],
            neverSays: ["has not asked", "The last attempt"],
            stage: { try Stage(scratch: fresh().scratch, owner: CacheOwner(pid: 7, host: nil)) }),
        Situation(
            name: "full disk", says: ["It is fresh until", "is served from memory, because it cannot be stored"],
            stage: {
                let scratch = try ScratchDirectory()
                try scratch.write("cache", "a file where the directory should be")
                let stage = try Stage(scratch: scratch)
                stage.origin.answer(good)
                stage.settle()
                return stage
            }),
        Situation(
            name: "fetch that promod did not survive",
            says: ["promod ended during its last fetch", "asks again at {next}"],
            stage: { try Stage(scratch: Stage().scratch, after: .seconds(60)) }),
        Situation(
            name: "damaged cache",
            says: ["promod has no catalog yet", "The cached catalog is damaged", "A fetch is under way"],
            stage: {
                let scratch = try fresh().scratch
                try scratch.write("cache/catalog", "{}\n")
                return try Stage(scratch: scratch, spread: .zero, after: .seconds(60))
            }),
        Situation(
            name: "broken drop-in", says: ["Nothing is fetched while the configuration is broken", "no url"],
            neverSays: ["asks again"],
            stage: {
                let stage = try fresh()
                stage.drop(in: [:], broken: ["acme": "no url"])
                stage.look()
                return stage
            }, catalog: .name("acme")),
    ]

    /// A catalog whose response is dated by a clock that differs from the stage's.
    private static func dated(_ difference: Duration, age: Duration? = nil) -> OriginReply {
        let time = Date(timeIntervalSince1970: 1_795_222_800 + Double(difference.components.seconds))
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let age = ResponseAge(age: age, date: OutsideText(formatter.string(from: time)))
        return .body(SampleCatalog.bytes, Validators(), age: age)
    }

    @Test(arguments: all) func theExplanationIsTrue(situation: Situation) throws {
        let stage = try situation.stage()
        let status = try #require(status(stage).about(situation.catalog))
        let text = text(of: status, now: stage.now)
        let next = status.refresh.nextAt.map { LocalTime.short($0, now: stage.now) } ?? "never"
        for part in situation.says {
            #expect(text.contains(part.replacing("{next}", with: next)), "\(part)\n\(text)")
        }
        for part in situation.neverSays { #expect(!text.contains(part), "\(part)\n\(text)") }
        #expect(text.hasSuffix(".") || text.hasSuffix("promoctl reload") || text.hasSuffix(".json"), "\(text)")
    }

    @Test func thereAreAtLeastThirtySituations() {
        #expect(Set(Self.all.map(\.name)).count == Self.all.count && Self.all.count >= 30)
    }

    /// In promod-schedule(7), three dots stand for what differs.
    @Test func theManualQuotesTheExplanations() throws {
        let page = "\(#filePath)/../../../packaging/man/promod-schedule.7"
        let manual = try String(contentsOfFile: URL(filePath: page).standardized.path, encoding: .utf8)
        let quotes = manual.components(separatedBy: "\n.It Do ").dropFirst().map {
            $0.components(separatedBy: " Dc")[0]
        }
        #expect(quotes.count > 15)
        let said = try Self.all.map { situation in
            let stage = try situation.stage()
            return text(of: try #require(status(stage).about(situation.catalog)), now: stage.now)
        }
        for quote in quotes {
            let parts = quote.components(separatedBy: "\\&...").map { $0.replacing("\\&", with: "") }
            #expect(said.contains { text in parts.allSatisfy { $0.isEmpty || text.contains($0) } }, "\(quote)")
        }
    }

    private func text(of status: StatusResult, now: Timestamp) -> String {
        Explanation(of: status, now: now).paragraphs.joined(separator: " ")
    }

    private func status(_ stage: Stage) -> StatusResult {
        let snapshot = stage.snapshot
        let catalog = snapshot.catalog.status(now: stage.now)
        return StatusResult(
            process: ProcessStatus(
                version: "1", epoch: "e", pid: 1, startedAt: stage.now, socketPath: "/p", configurationPath: nil),
            freshness: catalog.freshness, apps: catalog.apps, isOnline: true, refresh: catalog.refresh,
            cache: catalog.cache,
            counters: QueryCounters(), configuration: snapshot.configuration, owner: snapshot.owner,
            catalogs: [catalog] + snapshot.others.map { $0.status(now: stage.now) })
    }
}
