import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// Combinations of reasons against a review.
@Suite struct ReviewReasonTests {
    private typealias Reason = ReviewResult.Reason

    private static let order: [Reason] = [
        .neverLaunched, .tooFewCompletions, .tooSoonAfterFirstLaunch, .tooSoonAfterLastRequest, .yearlyLimit,
    ]

    /// A record for which the reasons hold whose bits are set, and the ends of its waits.
    private static func scene(_ bits: Int) -> (record: ReviewRecord, completed: Int, ends: [Reason: Timestamp]) {
        let wanted = Set(order.indices.filter { bits >> $0 & 1 == 1 }.map { order[$0] })
        var record = ReviewRecord()
        var ends: [Reason: Timestamp] = [:]
        if !wanted.contains(.neverLaunched) {
            let age = wanted.contains(.tooSoonAfterFirstLaunch) ? Duration.days(1) : .days(1000)
            record.firstLaunch = .start - age
            ends[.tooSoonAfterFirstLaunch] = .start - age + .days(7)
        }
        var ages: [Duration] = []
        if wanted.contains(.yearlyLimit) { ages = [.days(320), .days(310), .days(300)] }
        if wanted.contains(.tooSoonAfterLastRequest) { ages.append(.days(10)) }
        if let last = ages.last { ends[.tooSoonAfterLastRequest] = .start - last + .days(30) }
        if ages.count >= 3 { ends[.yearlyLimit] = .start - ages[ages.count - 3] + .days(365) }
        record = ReviewRecord(firstLaunch: record.firstLaunch, requests: ages.map { .start - $0 })
        return (record, wanted.contains(.tooFewCompletions) ? 2 : 3, ends)
    }

    /// Every set of reasons, except those with both never-launched and too-soon-after-first-launch.
    private static let possible = (0..<32).filter { $0 & 0b101 != 0b101 }

    @Test(arguments: possible)
    func allReasonsOfACombinationAreListedInTheProtocolsOrder(bits: Int) {
        let (record, completed, _) = Self.scene(bits)
        let verdict = ReviewPolicy().judge(record, completed: completed, now: .start)
        #expect(verdict.reasons == Self.order.indices.filter { bits >> $0 & 1 == 1 }.map { Self.order[$0] })
        #expect(verdict.isEligible == (bits == 0))
    }

    @Test(arguments: possible)
    func eligibleAtIsTheLatestEndAmongTheWaitsInTheReasons(bits: Int) {
        let (record, completed, ends) = Self.scene(bits)
        let verdict = ReviewPolicy().judge(record, completed: completed, now: .start)
        #expect(verdict.eligibleAt == verdict.reasons.compactMap { ends[$0] }.max())
        guard let at = verdict.eligibleAt else { return }
        // Just before that time a wait is left, and at that time none is.
        let before = ReviewPolicy().judge(record, completed: 3, now: at - .milliseconds(1))
        #expect(before.eligibleAt == at)
        #expect(ReviewPolicy().judge(record, completed: 3, now: at).eligibleAt == nil)
    }

    @Test func theReasonsAreTheProtocolsWords() {
        let words = [
            "never-launched", "too-few-completions", "too-soon-after-first-launch", "too-soon-after-last-request",
            "yearly-limit", "no-page", "offline", "not-configured", "sample",
        ]
        #expect(Reason.allCases.map(\.rawValue) == words)
        #expect(Array(Reason.allCases.prefix(Self.order.count)) == Self.order)
    }

    @Test func anAppWithoutARecordWasNeverLaunchedAndHasNoWait() {
        let verdict = ReviewPolicy().judge(nil, completed: 2, now: .start)
        #expect(verdict.reasons == [.neverLaunched, .tooFewCompletions])
        #expect(verdict.eligibleAt == nil)
        #expect(verdict.completionsNeeded == 3)
    }

    /// The rules written a second time, in the words of the specification.
    @Test func onRandomHistoriesThePolicyAgreesWithThePlainRules() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<5000 {
            let day = Int.random(in: -40...0, using: &generator)
            let launch = Bool.random(using: &generator) ? nil : Timestamp.start + .days(day / 3)
            let requests = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                Timestamp.start - .days(.random(in: -20...400, using: &generator))
            }
            let completed = Int.random(in: 0...5, using: &generator)
            let verdict = ReviewPolicy().judge(
                ReviewRecord(firstLaunch: launch, requests: requests), completed: completed, now: .start)
            let mayAsk =
                launch.map { .start - $0 >= .days(7) } == true && completed >= 3
                && requests.allSatisfy { .start - $0 >= .days(30) }
                && requests.filter { .start - $0 < .days(365) }.count < 3
            #expect(verdict.isEligible == mayAsk, "\(String(describing: launch)) \(requests) \(completed)")
        }
    }
}
