import PromoWire
import Testing

/// The result of `launch`.
struct LaunchResultTests {
    @Test(arguments: [true, false])
    func theTimeIsOfTheFirstLaunchAndInWholeSeconds(isRecorded: Bool) {
        let time = Timestamp(milliseconds: 1_800_000_000_999)
        let result = LaunchResult(app: "fittoday", firstLaunch: time, isRecorded: isRecorded)
        #expect(
            written(result.write)
                == #"{"app":"fittoday","firstLaunch":"2027-01-15T08:00:00Z","recorded":\#(isRecorded)}"#)
    }
}
