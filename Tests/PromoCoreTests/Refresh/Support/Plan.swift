import PromoCore
import PromoTestSupport
import PromoWire

/// An expected next attempt, for comparison with a machine's.
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
