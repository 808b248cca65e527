import PromoWire
import Testing

/// A duration in whole milliseconds.
struct DurationMillisecondsTests {
    @Test(arguments: [(0, 0), (1, 0), (999_999, 0), (1_000_000, 1), (-999_999, 0), (-1_000_000, -1), (-1_999_999, -1)])
    func partsOfAMillisecondAreDroppedTowardZero(nanoseconds: Int64, milliseconds: Int64) {
        #expect(Duration.nanoseconds(nanoseconds).milliseconds == milliseconds)
    }

    @Test(arguments: [(1, 1000), (-1, -1000), (86_400, 86_400_000)])
    func aSecondIsAThousand(seconds: Int64, milliseconds: Int64) {
        #expect(Duration.seconds(seconds).milliseconds == milliseconds)
    }

    @Test func secondsAndPartsAreAddedUp() {
        #expect((Duration.seconds(1) + .milliseconds(500)).milliseconds == 1500)
        #expect((Duration.seconds(-1) - .milliseconds(500)).milliseconds == -1500)
    }

    @Test func aDurationThatDoesNotFitIsClamped() {
        #expect(Duration.seconds(Int64.max).milliseconds == .max)
        #expect(Duration.seconds(Int64.min).milliseconds == .min)
        #expect((Duration.milliseconds(Int64.max) + .milliseconds(1)).milliseconds == .max)
        #expect((Duration.milliseconds(Int64.min) - .milliseconds(1)).milliseconds == .min)
    }

    @Test(arguments: [Int64.min, -1, 0, 1, .max])
    func everyNumberOfMillisecondsComesBack(milliseconds: Int64) {
        #expect(Duration.milliseconds(milliseconds).milliseconds == milliseconds)
    }
}
