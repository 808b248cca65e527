import PromoCore
import PromoWire

extension FuzzTarget {
    /// Any text can be a date of HTTP or of the protocol, and the dates that promod writes are read back.
    static let dates = FuzzTarget(name: "dates") { input in
        let text = String(decoding: input, as: UTF8.self)
        let number = input.prefix(6).reduce(0) { $0 << 8 | Int64($1) }
        for now in [Timestamp(milliseconds: 0), Timestamp(milliseconds: number), Timestamp(milliseconds: .max)] {
            guard let delay = RetryAfter.delay(OutsideText(text), now: now) else { continue }
            try require(delay >= .zero, "\(delay) is in the past")
            try require(RetryAfter.delay(" \(text)\t", now: now) == delay, "blanks around the value matter")
        }
        try checkPauses(of: OutsideText(text), number)
        if let time = Timestamp(rfc3339: text) {
            try require(Timestamp(rfc3339: time.rfc3339) == time.roundedDownToSecond, "\(time.rfc3339) is another time")
        }
        // Up to the year 9999, the last with four digits.
        try checkForms(of: Timestamp(seconds: number % 253_402_300_800))
    }

    /// Whatever a response says, no pause begins before it.
    private static func checkPauses(of text: OutsideText, _ number: Int64) throws(Violation) {
        for age in [Duration.zero, .seconds(number % (1 << 31))] {
            let pause = RetryAfter.relative(text, to: text, age: age)
            if pause != text { try require(pause == "0", "\(text) is \(pause) after itself") }
        }
    }

    private static func checkForms(of time: Timestamp) throws(Violation) {
        try require(Timestamp(rfc3339: time.rfc3339) == time, "\(time.rfc3339) was not read back")
        let (date, second) = time.civil
        let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][
            Int(date.month) - 1]
        func digits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let clock = [second / 3600, second / 60 % 60, second % 60].map(digits).joined(separator: ":")
        let now = time - .seconds(90)
        for text in [
            "Sun, \(digits(date.day)) \(month) \(date.year) \(clock) GMT",
            "Sunday, \(digits(date.day))-\(month)-\(digits(date.year % 100)) \(clock) GMT",
            "Sun \(month) \(date.day < 10 ? " " : "")\(date.day) \(clock) \(date.year)",
        ] {
            try require(RetryAfter.delay(OutsideText(text), now: now) == .seconds(90), "\(text) was not read back")
        }
    }
}
