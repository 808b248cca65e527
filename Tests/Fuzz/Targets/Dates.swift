import PromoCore
import PromoWire

extension FuzzTarget {
    /// Any text can be a date of the protocol, and the dates that promod writes are read back.
    static let dates = FuzzTarget(name: "dates") { input in
        let text = String(decoding: input, as: UTF8.self)
        let number = input.prefix(6).reduce(0) { $0 << 8 | Int64($1) }
        if let time = Timestamp(rfc3339: text) {
            try require(Timestamp(rfc3339: time.rfc3339) == time.roundedDownToSecond, "\(time.rfc3339) is another time")
        }
        // Up to the year 9999, the last with four digits.
        let last = Timestamp(seconds: number % 253_402_300_800)
        try require(Timestamp(rfc3339: last.rfc3339) == last, "\(last.rfc3339) was not read back")
    }
}
