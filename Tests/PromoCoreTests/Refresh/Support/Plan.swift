import PromoCore
import PromoTestSupport
import PromoWire

/// The next attempt, to compare a machine's with.
struct Plan: Equatable {
    var at: Timestamp
    var reason: Machine.Reason

    init(_ reason: Machine.Reason, at: Timestamp) {
        self.at = at
        self.reason = reason
    }
}

extension RefreshMachine<SeededGenerator> {
    var plan: Plan? { next.map { Plan($0.reason, at: $0.at) } }
}
