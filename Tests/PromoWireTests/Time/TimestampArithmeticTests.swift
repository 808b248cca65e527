import PromoWire
import Testing

/// Adding, subtracting and rounding times, up to the limits of their range.
struct TimestampArithmeticTests {
    private static let first = Timestamp(milliseconds: .min)
    private static let last = Timestamp(milliseconds: .max)

    @Test func secondsAreAThousandMilliseconds() {
        #expect(Timestamp(seconds: 2) == Timestamp(milliseconds: 2000))
        #expect(Timestamp(seconds: -2) == Timestamp(milliseconds: -2000))
    }

    @Test func secondsThatDoNotFitBecomeTheNearestTime() {
        #expect(Timestamp(seconds: .max) == Self.last)
        #expect(Timestamp(seconds: .min) == Self.first)
        #expect(Timestamp(seconds: .max / 1000) < Self.last)
    }

    @Test func timesComeInTheOrderOfTheClock() {
        #expect(Timestamp(milliseconds: -1) < Timestamp(milliseconds: 0))
        #expect(Timestamp(milliseconds: 0) < Timestamp(milliseconds: 1))
        #expect(!(Timestamp(milliseconds: 1) < Timestamp(milliseconds: 1)))
        #expect(Self.first < Self.last)
    }

    @Test func aDurationIsAddedAndSubtracted() {
        let time = Timestamp(milliseconds: 1000)
        #expect(time + .milliseconds(500) == Timestamp(milliseconds: 1500))
        #expect(time - .milliseconds(1500) == Timestamp(milliseconds: -500))
        #expect(time + .seconds(-2) == Timestamp(milliseconds: -1000))
    }

    @Test func aSumThatDoesNotFitBecomesTheNearestTime() {
        #expect(Self.last + .milliseconds(1) == Self.last)
        #expect(Self.first - .milliseconds(1) == Self.first)
        #expect(Self.last + .seconds(Int64.max) == Self.last)
        #expect(Self.first + .seconds(Int64.min) == Self.first)
    }

    @Test func theDifferenceOfTwoTimesIsADuration() {
        #expect(Timestamp(milliseconds: 1500) - Timestamp(milliseconds: 500) == .seconds(1))
        #expect(Timestamp(milliseconds: 500) - Timestamp(milliseconds: 1500) == .seconds(-1))
    }

    @Test func aDifferenceThatDoesNotFitBecomesTheNearestDuration() {
        #expect(Self.last - Self.first == .milliseconds(Int64.max))
        #expect(Self.first - Self.last == .milliseconds(Int64.min))
    }

    @Test(arguments: [(0, 0), (1, 1000), (999, 1000), (1000, 1000), (1001, 2000)])
    func aTimeIsRoundedUpToTheSecondThatIsNotBeforeIt(milliseconds: Int64, rounded: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).roundedUpToSecond == Timestamp(milliseconds: rounded))
    }

    @Test(arguments: [(-1, 0), (-999, 0), (-1000, -1000), (-1001, -1000), (-1999, -1000)])
    func theSameHoldsBefore1970(milliseconds: Int64, rounded: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).roundedUpToSecond == Timestamp(milliseconds: rounded))
    }

    @Test func theLastTimeIsNotRoundedPastTheEnd() {
        #expect(Self.last.roundedUpToSecond == Self.last)
    }
}
