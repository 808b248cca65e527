@testable import PromoDaemon
import PromoWire
import Synchronization
import Testing

struct SteadyClockTests {
    /// Two clocks that a test sets.
    private final class Clocks: Sendable {
        private let reading = Mutex(SteadyClock.Reading(wall: Timestamp(seconds: 1_800_000_000), boot: 5_000))
        let reports = Mutex(0)

        var wall: Timestamp { reading.withLock { $0.wall } }

        func read() -> SteadyClock.Reading { reading.withLock { $0 } }

        func pass(_ duration: Duration) {
            reading.withLock { $0.boot += duration.milliseconds }
            set(by: duration)
        }

        func set(by step: Duration) {
            reading.withLock { $0.wall = $0.wall + step }
        }
    }

    private let clocks = Clocks()
    private let clock: SteadyClock

    init() {
        clock = SteadyClock { [clocks] in clocks.read() }
        clock.observe { [clocks] in clocks.reports.withLock { $0 += 1 } }
    }

    private var offset: Duration { clock.timeAndOffset().offset }
    private var reports: Int { clocks.reports.withLock { $0 } }

    @Test func itShowsTheWallClock() {
        for _ in 0..<10 {
            clocks.pass(.seconds(86_400))
            #expect(clock.now() == clocks.wall)
        }
        #expect(clock.stepBack() == nil)
        #expect(reports == 0)
    }

    @Test func aStepForwardCountsAtOnceAndIsNotReported() {
        let before = offset
        clocks.set(by: .seconds(3600))
        #expect(clock.now() == clocks.wall)
        #expect(offset == before + .seconds(3600))
        #expect(reports == 0)
    }

    @Test func aStepForwardThatIsTakenBackIsAStepBack() {
        clocks.set(by: .seconds(3600))
        let ahead = clock.now()
        clocks.set(by: .seconds(-3600))
        #expect(clock.now() == ahead && clock.stepBack() == .seconds(-3600))
    }

    @Test func aStepBackIsReportedOnceAndCountsWhenItIsFollowed() {
        let (before, old) = (clocks.wall, offset)
        clocks.set(by: .seconds(-3600))
        clocks.pass(.seconds(5))
        for _ in 0..<3 { #expect(clock.now() == before + .seconds(5)) }
        #expect(offset == old)
        #expect(reports == 1)
        #expect(clock.stepBack() == .seconds(-3600))
        clock.follow(.seconds(-3600))
        #expect(offset == old + .seconds(-3600))
        #expect(clock.now() == clocks.wall)
        clocks.set(by: .seconds(-2))
        _ = clock.now()
        #expect(reports == 2)
    }

    @Test func aLeapSecondIsNoStepButSmallStepsAddUp() {
        clocks.set(by: .seconds(-1))
        #expect(clock.now() == clocks.wall)
        #expect(clock.stepBack() == nil)
        clocks.set(by: .milliseconds(-500))
        #expect(clock.now() == clocks.wall)
        clocks.set(by: .milliseconds(-1))
        #expect(clock.now() == clocks.wall + .milliseconds(1501))
        #expect(clock.stepBack() == .milliseconds(-1501))
    }

    @Test func aClockThatIsRightAgainBeforeItIsFollowedMayBeReportedAgain() {
        clocks.set(by: .seconds(-3600))
        _ = clock.now()
        clocks.set(by: .seconds(3600))
        #expect(clock.stepBack() == nil)
        clocks.set(by: .seconds(-60))
        _ = clock.now()
        #expect(reports == 2)
    }

    @Test(arguments: [-60_000, 60_000] as [Int64])
    func aThreadThatWasStoppedBetweenTheTwoClocksSeesNoStep(for milliseconds: Int64) {
        let torn = Mutex<SteadyClock.Reading?>(nil)
        let clock = SteadyClock { [clocks] in torn.withLock { $0.take() } ?? clocks.read() }
        var reading = clocks.read()
        reading.boot += milliseconds
        torn.withLock { [reading] in $0 = reading }
        #expect(clock.now() == clocks.wall)
        #expect(clock.stepBack() == nil)
    }
}
