@testable import PromoCore
import PromoWire
import Testing

/// What requests change in the history, and what of it is kept.
struct ReviewHistoryTests {
    private var history = ReviewHistory()

    private func launch(
        _ app: String, in history: inout ReviewHistory, at now: Timestamp = .start,
        isListed: (String) -> Bool = { _ in true }
    ) -> LaunchResult {
        history.launch(app, now: now, isListed: isListed)
    }

    private func request(
        _ app: String, in history: inout ReviewHistory, at now: Timestamp, policy: ReviewPolicy = ReviewPolicy()
    ) -> ReviewResult {
        history.request(
            ReviewParameters(app: app, completed: 3, needsPage: false), policy: policy, page: nil, isOnline: { true },
            now: now)
    }

    @Test mutating func aFirstLaunchIsRecordedOnceInWholeSecondsAsInTheFile() throws {
        let first = launch("a", in: &history, at: .start + .milliseconds(999))
        #expect(first == LaunchResult(app: "a", firstLaunch: .start, isRecorded: true))
        let second = launch("a", in: &history, at: .start + .days(3))
        #expect(second == LaunchResult(app: "a", firstLaunch: .start, isRecorded: false))
        #expect(history.launchedApps == ["a"])
        #expect(try ReviewHistory(fileBytes: history.fileBytes) == history)
    }

    @Test mutating func aGrantIsRecordedAndSaysWhenTheNextIsPossible() {
        _ = launch("a", in: &history)
        var (ends, now): ([Duration?], Timestamp) = ([], .start + .days(7))
        for days in [30, 30, 0] {
            let result = request("a", in: &history, at: now)
            #expect(result.reasons == [])
            #expect(result.isRequest)
            #expect(result.reviewURL == nil)
            ends.append(result.eligibleAt.map { $0 - now })
            now = now + .days(days)
        }
        #expect(ends == [.days(30), .days(30), .days(305)])
        #expect(history["a"]?.requests.count == 3)
        let again = request("a", in: &history, at: now)
        #expect(again.reasons.map(\.known) == [.tooSoonAfterLastRequest, .yearlyLimit])
        #expect(history["a"]?.requests.count == 3)
        var free = ReviewPolicy()
        (free.minimumDaysSinceLastRequest, free.maximumPerYear) = (0, 0)
        let next = request("a", in: &history, at: now, policy: free).eligibleAt
        #expect(next == now, "there is nothing to wait for")
    }

    @Test mutating func aRefusalAQuestionAndAResetOfAnUnknownAppChangeNothing() {
        _ = launch("a", in: &history)
        let before = history
        for app in ["a", "b"] {
            let refused = request(app, in: &history, at: .start)
            let parameters = ReviewParameters(app: app, completed: 3, needsPage: false)
            let eligible = history.eligibility(
                parameters, policy: ReviewPolicy(), page: nil, isOnline: { true }, now: .start)
            #expect([refused.isGranted, eligible.isGranted] == [false, false])
        }
        let unknown = history.reset("b")
        #expect(!unknown.wasKnown)
        #expect(history == before)
        let known = history.reset("a")
        #expect(known.wasKnown)
        #expect(history == ReviewHistory())
    }

    @Test(arguments: [Duration.minutes(5), .minutes(5) + .seconds(1), .days(80 * 365)])
    mutating func aTimeMoreThanFiveMinutesAheadCountsAsNowAndIsStoredByALaunchAlone(ahead: Duration) {
        let stored = ReviewRecord(firstLaunch: .start + ahead, requests: [.start - .days(40), .start + ahead])
        history["a"] = stored
        let result = request("a", in: &history, at: .start)
        let believed = ahead > .minutes(5) ? Timestamp.start : .start + ahead
        #expect(result.reasons.map(\.known) == [.tooSoonAfterFirstLaunch, .tooSoonAfterLastRequest])
        #expect(result.eligibleAt == believed + .days(30))
        #expect(history["a"] == stored)
        _ = launch("a", in: &history)
        #expect(history["a"] == ReviewRecord(firstLaunch: believed, requests: [.start - .days(40), believed]))
    }

    @Test mutating func requestsThatNoRuleNeedsAreDroppedAndThatChangesNoVerdict() throws {
        _ = launch("a", in: &history)
        var all: [Timestamp] = []
        var now = Timestamp.start
        for step in 0..<400 {
            let whole = ReviewPolicy().judge(
                ReviewParameters(app: "a", completed: 3, needsPage: false),
                ReviewRecord(firstLaunch: .start, requests: all), page: nil, isOnline: { true }, now: now)
            let result = request("a", in: &history, at: now)
            #expect(result.reasons == whole.reasons)
            if result.isGranted { all.append(now) }
            now = now + .days(step % 17)
        }
        #expect(all.count > 20)
        #expect(try #require(history["a"]).requests.count <= 4)
    }

    @Test mutating func withoutALimitTheRequestsStayBounded() {
        _ = launch("a", in: &history)
        var policy = ReviewPolicy()
        (policy.minimumDaysSinceFirstLaunch, policy.minimumDaysSinceLastRequest, policy.maximumPerYear) = (0, 0, 0)
        for second in 0..<1000 { _ = request("a", in: &history, at: .start + .seconds(second), policy: policy) }
        #expect(history["a"]?.requests.count == ReviewRecord.maximumRequests)
        #expect(history["a"]?.requests.last == .start + .seconds(999))
    }

    // MARK: Room

    @Test mutating func oneMoreAppTakesTheRoomOfTheLeastNeeded() {
        // The least needed first: a catalog's apps after others, with a request after those without, and the young after the old.
        for number in 3..<ReviewHistory.maximumApps { history["listed-\(number)"] = ReviewRecord(firstLaunch: .start) }
        history["old"] = ReviewRecord(firstLaunch: .start - .days(90))
        history["young"] = ReviewRecord(firstLaunch: .start - .days(80))
        history["asked"] = ReviewRecord(firstLaunch: .start - .days(99), requests: [.start - .days(70)])
        for (number, dropped) in ["old", "young", "new-0"].enumerated() {
            _ = launch("new-\(number)", in: &history) { $0.hasPrefix("listed") }
            #expect(history.count == ReviewHistory.maximumApps)
            #expect(history[dropped] == nil)
        }
        #expect(["asked", "listed-3", "new-2"].filter { history[$0] == nil } == [])
        _ = launch("listed-3", in: &history) { $0.hasPrefix("listed") }
        #expect(history["new-2"] != nil, "a known app needs no room")
    }

    // MARK: The file

    private static let apps = """
        "bookary":{"firstLaunch":"2024-04-20T08:00:00Z","requests":[]},\
        "fittoday":{"firstLaunch":null,"requests":["2025-12-11T08:00:00Z","2026-12-06T08:00:00Z"]}
        """

    private static func text(_ apps: String) -> String { "{\"format\":4,\"apps\":{\(apps)}}\n" }

    private func read(_ text: String) throws -> ReviewHistory { try ReviewHistory(fileBytes: Array(text.utf8)) }

    @Test func itIsOneLineWithTheAppsSortedAndComesBack() throws {
        for apps in ["", Self.apps] {
            #expect(String(decoding: try read(Self.text(apps)).fileBytes, as: UTF8.self) == Self.text(apps))
        }
        let edited = """
            { "apps": { "fittoday": { "requests": [ "2026-12-06T08:00:00Z", "2025-12-11T08:00:00Z" ], "firstLaunch": null },
                        "bookary": { "firstLaunch": "2024-04-20T08:00:00Z", "requests": [] } },
              "format": 4 }
            """
        #expect(try read(edited) == read(Self.text(Self.apps)))
    }

    private static let record = #"{"firstLaunch":null,"requests":[]}"#

    private static let malformed =
        [
            "", "[]", "{}", "\u{FEFF}{\"format\":4,\"apps\":{}}", #"{"format":4}"#, #"{"format":3,"apps":{}}"#,
            #"{"format":4.5,"apps":{}}"#, #"{"format":4,"apps":[]}"#, #"{"format":4,"apps":{}}x"#,
            #"{"format":4,"apps":{},"more":1}"#, text("\(apps),"), text(#""a":\#(record),"\u0061":\#(record)"#),
            text(#""a":{"firstLaunch":null,"requests":[],"more":1}"#), text(#""a":{"firstLaunch":null}"#),
            text(#""a":{"firstLaunch":"2024-04-31T08:00:00Z","requests":[]}"#),
            text(#""a":{"firstLaunch":null,"requests":["soon"]}"#), text(#""FitToday":\#(record)"#),
            text("\"\(String(repeating: "x", count: AppID.maximumLength + 1))\":\(record)"),
            text("\"a\":" + String(repeating: "[", count: 100_000)),
        ]

    @Test(arguments: malformed)
    func aFileOfAnotherFormIsRefusedWhole(text: String) throws {
        let error = #expect(throws: ReviewHistory.Unreadable.self) { try read(text) }
        #expect(try #require(error).reason.utf8.count < 500)
    }
}
