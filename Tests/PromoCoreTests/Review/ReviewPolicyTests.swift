import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// Whether an app may ask for a review, at the exact boundaries.
struct ReviewPolicyTests {
    private typealias Reason = ReviewResult.Reason

    /// An app at ``Timestamp/start``; times are ages, and `wait` is the time until `eligibleAt`.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var launched: Duration? = .days(1000)
        var requested: [Duration] = []
        var completed = 3
        var policy = ReviewPolicy()
        var reasons: [ReviewResult.Reason] = []
        var wait: Duration?
    }

    private static let week = Duration.seconds(604_800)
    private static let month = Duration.seconds(2_592_000)
    private static let year = Duration.seconds(31_536_000)
    private static let instant = Duration.milliseconds(1)

    private static func policy(_ change: (inout ReviewPolicy) -> Void) -> ReviewPolicy {
        var policy = ReviewPolicy()
        change(&policy)
        return policy
    }

    private static let none = policy {
        ($0.minimumCompletions, $0.minimumDaysSinceFirstLaunch) = (0, 0)
        ($0.minimumDaysSinceLastRequest, $0.maximumPerYear) = (0, 0)
    }

    private static let cases: [Case] = [
        // The test cases of the specification "App Store Review Request".
        Case(
            testDescription: "1. New user (< 7 days) — should NOT be eligible", launched: .days(6),
            reasons: [.tooSoonAfterFirstLaunch], wait: .days(1)),
        Case(
            testDescription: "2. User with < 3 workouts — should NOT be eligible", launched: week, completed: 2,
            reasons: [.tooFewCompletions]),
        Case(
            testDescription: "3. User prompted < 30 days ago — should NOT be eligible", requested: [.days(1)],
            reasons: [.tooSoonAfterLastRequest], wait: .days(29)),
        Case(
            testDescription: "4. Eligible user (3+ workouts, 7+ days, 30+ since last) — SHOULD be eligible",
            launched: month, requested: [month], completed: 4),
        Case(testDescription: "5. First-time eligible (never prompted before) — SHOULD be eligible", launched: week),
        // The boundaries.
        Case(
            testDescription: "never launched", launched: nil, completed: 0,
            reasons: [.neverLaunched, .tooFewCompletions]),
        Case(testDescription: "604,800 s since the first launch", launched: week),
        Case(
            testDescription: "an instant less", launched: week - instant, reasons: [.tooSoonAfterFirstLaunch],
            wait: instant),
        Case(testDescription: "2,592,000 s since the last request", requested: [month]),
        Case(
            testDescription: "an instant less", requested: [month - instant], reasons: [.tooSoonAfterLastRequest],
            wait: instant),
        Case(testDescription: "the fourth, 365 days after the first", requested: [year, .days(200), .days(100)]),
        Case(
            testDescription: "the fourth, an instant earlier", requested: [year - instant, .days(200), .days(100)],
            reasons: [.yearlyLimit], wait: instant),
        Case(
            testDescription: "more than allowed, by an earlier limit",
            requested: [360, 300, 200, 100, 50].map { Duration.days($0) }, reasons: [.yearlyLimit], wait: .days(165)),
        Case(
            testDescription: "all waits, and the last to end", launched: .days(1),
            requested: [.days(1), .days(1), .days(1)], completed: 0,
            reasons: [.tooFewCompletions, .tooSoonAfterFirstLaunch, .tooSoonAfterLastRequest, .yearlyLimit],
            wait: .days(364)),
        // Other numbers.
        Case(
            testDescription: "without numbers nothing matters", launched: .zero, requested: [.zero], completed: 0,
            policy: none),
        Case(testDescription: "not even a launch", launched: nil, completed: 0, policy: none),
        Case(
            testDescription: "other numbers", launched: .days(2), requested: [.days(90)], completed: 10,
            policy: policy {
                ($0.minimumCompletions, $0.minimumDaysSinceFirstLaunch) = (10, 2)
                ($0.minimumDaysSinceLastRequest, $0.maximumPerYear) = (90, 2)
            }),
    ]

    @Test(arguments: cases)
    func anAppMayAskExactlyByTheRules(_ scene: Case) {
        let record = ReviewRecord(
            firstLaunch: scene.launched.map { .start - $0 },
            requests: scene.requested.map { .start - $0 })
        let parameters = ReviewParameters(app: "a", completed: scene.completed, needsPage: false)
        let result = scene.policy.judge(parameters, record, page: nil, isOnline: { false }, now: .start)
        #expect(result.reasons.map(\.known) == scene.reasons)
        #expect(result.eligibleAt == scene.wait.map { .start + $0 })
        #expect(result.isGranted == scene.reasons.isEmpty)
        #expect(
            result.completionsNeeded
                == (scene.reasons.contains(.tooFewCompletions) ? scene.policy.minimumCompletions : nil))
        #expect((result.advice != nil) == scene.reasons.contains(.neverLaunched))
    }

    @Test(arguments: [nil, "https://example.com/review"], [true, false])
    func whoNeedsAPageNeedsOneAndANetwork(page: String?, isOnline: Bool) {
        let record = ReviewRecord(firstLaunch: .start - .days(7))
        var parameters = ReviewParameters(app: "a", completed: 3)
        func reasons() -> [Reason] {
            ReviewPolicy().judge(parameters, record, page: page, isOnline: { isOnline }, now: .start).reasons
                .compactMap(\.known)
        }
        #expect(reasons() == (page == nil ? [.noPage] : []) + (isOnline ? [] : [.offline]))
        parameters.needsPage = false
        #expect(reasons() == [])
    }

    @Test(arguments: [(nil, 3), (1, 1), (5, 5)])
    func anAppsOwnThresholdReplacesTheConfiguredOne(minimum: Int?, needed: Int) {
        let record = ReviewRecord(firstLaunch: .start - .days(7))
        for completed in 0...6 {
            let parameters = ReviewParameters(app: "a", completed: completed, minimum: minimum, needsPage: false)
            let result = ReviewPolicy().judge(parameters, record, page: nil, isOnline: { true }, now: .start)
            #expect(result.isGranted == (completed >= needed))
            #expect(result.completionsNeeded == (completed < needed ? needed : nil))
        }
    }

    @Test func thePageIsThatOfTheRequestElseOfTheCatalogElseOfTheAppStore() throws {
        let catalog = try PreparedCatalog.sample()
        func page(of app: String, said: String? = nil, number: String? = "7", in catalog: PreparedCatalog?) -> String? {
            ReviewParameters(app: app, completed: 3, page: said, appStoreID: number).page(in: catalog)
        }
        #expect(page(of: "bookary", said: "https://a.example/", in: catalog) == "https://a.example/")
        #expect(page(of: "bookary", in: catalog) == "https://example.com/?app=bookary")
        #expect(page(of: "fittoday", in: catalog) == "https://apps.apple.com/app/id7?action=write-review")
        #expect(page(of: "bookary", in: nil) == "https://apps.apple.com/app/id7?action=write-review")
        #expect(page(of: "fittoday", number: nil, in: catalog) == nil)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, .max])
    func noTimeTraps(milliseconds: Int64) {
        let time = Timestamp(milliseconds: milliseconds)
        for now in [Timestamp(milliseconds: .min), .start, Timestamp(milliseconds: .max)] {
            var history = ReviewHistory()
            history["a"] = ReviewRecord(firstLaunch: time, requests: [time, time, time])
            let result = history.request(
                ReviewParameters(app: "a", completed: 3, needsPage: false), policy: ReviewPolicy(), page: nil,
                isOnline: { true }, now: now)
            #expect(result.isGranted || result.eligibleAt != nil)
        }
    }
}
