import PromoCore
import PromoWire
import Testing

/// The test cases in the specification "App Store Review Request".
@Suite struct ReviewSpecificationTests {
    private let policy = ReviewPolicy()

    @Test("1. New user (< 7 days) — should NOT be eligible")
    func newUserIsNotEligible() {
        for age in [Duration.zero, .hours(1), .days(6), .days(7) - .milliseconds(1)] {
            let verdict = policy.judge(launched: age, completed: 3)
            #expect(!verdict.isEligible)
            #expect(verdict.reasons == [.tooSoonAfterFirstLaunch])
        }
    }

    @Test("2. User with < 3 workouts — should NOT be eligible", arguments: 0..<3)
    func userWithFewerThanThreeWorkoutsIsNotEligible(workouts: Int) {
        let verdict = policy.judge(launched: .days(7), completed: workouts)
        #expect(!verdict.isEligible)
        #expect(verdict.reasons == [.tooFewCompletions])
    }

    @Test("3. User prompted < 30 days ago — should NOT be eligible")
    func userPromptedLessThanThirtyDaysAgoIsNotEligible() {
        for age in [Duration.zero, .days(1), .days(30) - .milliseconds(1)] {
            let verdict = policy.judge(requested: [age])
            #expect(!verdict.isEligible)
            #expect(verdict.reasons == [.tooSoonAfterLastRequest])
        }
    }

    @Test("4. Eligible user (3+ workouts, 7+ days, 30+ since last) — SHOULD be eligible", arguments: [3, 4, 1000])
    func userWithThreeWorkoutsSevenDaysAndThirtyDaysSinceTheLastIsEligible(workouts: Int) {
        for launched in [Duration.days(30), .days(31)] {
            #expect(policy.judge(launched: launched, requested: [.days(30)], completed: workouts).isEligible)
        }
    }

    @Test("5. First-time eligible (never prompted before) — SHOULD be eligible")
    func userWhoWasNeverPromptedIsEligible() {
        #expect(policy.judge(launched: .days(7), requested: [], completed: 3).isEligible)
    }
}
