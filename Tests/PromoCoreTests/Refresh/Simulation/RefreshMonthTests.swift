import PromoCore
import PromoWire
import Testing

/// Simulations of a month, with rules that must hold after every event.
@Suite struct RefreshMonthTests {
    private let month = Duration.days(30)

    @Test(arguments: 1...24)
    func everyRuleHoldsUnderAllDisturbances(seed: UInt64) {
        var simulation = RefreshSimulation(.moody, Disturbance.allCases, seed: seed)
        simulation.run(month)
        #expect(simulation.violations == [])
        #expect(simulation.disturbed > 100)
        #expect(simulation.attempts > 50)
    }

    @Test(arguments: Disturbance.allCases)
    func everyRuleHoldsUnderEachDisturbanceAlone(disturbance: Disturbance) {
        for seed in UInt64(1)...4 {
            var simulation = RefreshSimulation(.moody, [disturbance], seed: seed)
            simulation.run(month)
            #expect(simulation.violations == [])
        }
    }

    @Test(arguments: 1...8)
    func settingTheClockNeverStretchesTheDay(seed: UInt64) {
        var simulation = RefreshSimulation(
            .moody, [.clockSetBack, .clockSetForward, .suspend, .refreshByHand], seed: seed)
        simulation.run(month)
        #expect(simulation.violations == [])
    }

    @Test(arguments: 1...8)
    func anOriginThatIsUpIsAskedLittleMoreThanOnceADay(seed: UInt64) {
        var simulation = RefreshSimulation(.up, seed: seed)
        simulation.run(month)
        #expect(simulation.violations == [])
        #expect((34...36).contains(simulation.requests))
    }

    @Test(arguments: 1...8)
    func restartsSleepListsAndNetworksCauseFewMoreRequestsToAnOriginThatIsUp(seed: UInt64) {
        var simulation = RefreshSimulation(.up, [.restart, .suspend, .networkAppears], seed: seed)
        simulation.run(month)
        #expect(simulation.violations == [])
        #expect(simulation.disturbed > 100)
        // A refresh that was missed is made up for, and the one at the daemon's own time follows.
        #expect(simulation.requests <= 2 * 31)
    }

    /// Full jitter waits half of the cap on average: about two requests an hour.
    @Test(arguments: 1...8)
    func anOriginThatIsDownIsAskedAboutTwiceAnHour(seed: UInt64) {
        var simulation = RefreshSimulation(.down, seed: seed)
        simulation.run(month)
        #expect(simulation.violations == [])
        #expect((1300...1600).contains(simulation.requests))
    }

    @Test(arguments: 1...8)
    func restartsSleepAndListsCauseNoMoreRequestsToAnOriginThatIsDown(seed: UInt64) {
        var simulation = RefreshSimulation(.down, [.restart, .suspend], seed: seed)
        simulation.run(month)
        #expect(simulation.violations == [])
        #expect(simulation.disturbed > 100)
        #expect(simulation.requests <= 1600)
    }

    @Test(arguments: 1...24)
    func theRequestsOfAMonthAreBounded(seed: UInt64) {
        var simulation = RefreshSimulation(.moody, Disturbance.allCases, seed: seed)
        simulation.run(month)
        let (origin, disturbed) = (simulation.origin, simulation.disturbed)
        // One fetch a day, one for each disturbance that asks for one, the quick first retries of an outage, and then 2 an hour.
        let budget = 31 + disturbed + 6 * origin.outages + Int(origin.timeDown / .hours(1) * 2)
        #expect(simulation.requests <= budget)
    }
}
