import PromoCore
import PromoWire

extension EventLog {
    /// A log of `count` taps.
    static func taps(_ count: Int) -> EventLog {
        var log = EventLog()
        for _ in 0..<count { log.append(.tap(app: "bookary", host: "finebill"), at: .start) }
        return log
    }

    /// The line of an event that is kept, as text; nil if the filter does not select it.
    func text(_ number: Int, for filter: EventFilter = EventFilter()) -> String? {
        line(number, for: filter).map { String(decoding: $0, as: UTF8.self) }
    }
}
