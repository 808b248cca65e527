import PromoCore
import PromoWire

/// The command line.
struct Options: Sendable {
    static let usage = """
        Usage: simulate [OPTION VALUE]...
            --daemons N       the size of the fleet (1000000)
            --seed N          the seed of all random numbers (1)
            --only NAME       a single scenario: \(Scenario.all.map(\.name).joined(separator: ", "))
            --svg FILE        draws the results
            --looks NUMBER    how often a day somebody looks at a daemon's catalog (1)
            --interval, --retry-base, --retry-cap DURATION
                              another policy than the default one, such as 30s, 5m, 24h
        """

    var daemons = 1_000_000
    var seed: UInt64 = 1
    var scenarios = Scenario.all
    var picture: String?
    var looks = 1.0
    var policy = RefreshPolicy()

    /// What is wrong with the command line, for people.
    struct Problem: Error {
        var message: String
    }

    init(_ arguments: [String]) throws(Problem) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            guard let value = rest.popFirst(), try set(option, value) else {
                throw Problem(message: "\(option): no such option, or its value is missing or not valid.")
            }
        }
    }

    private mutating func set(_ option: String, _ value: String) throws(Problem) -> Bool {
        switch option {
        case "--daemons": Self.assign(Int(value).flatMap { $0 > 0 ? $0 : nil }, to: &daemons)
        case "--seed": Self.assign(UInt64(value), to: &seed)
        case "--looks": Self.assign(Double(value).flatMap { $0 >= 0 ? $0 : nil }, to: &looks)
        case "--svg": Self.assign(value, to: &picture)
        case "--only": Self.assign(Scenario.all.first { $0.name == value }.map { [$0] }, to: &scenarios)
        case "--interval": Self.assign(Duration(text: value), to: &policy.interval)
        case "--retry-base": Self.assign(Duration(text: value), to: &policy.base)
        case "--retry-cap": Self.assign(Duration(text: value), to: &policy.cap)
        default: false
        }
    }

    /// Assigns a value, and returns whether there is one.
    private static func assign<Value>(_ value: Value?, to property: inout Value) -> Bool {
        guard let value else { return false }
        property = value
        return true
    }
}

extension Duration {
    /// Reads a duration such as `30s`, `5m` or `24h`; nil for anything else.
    fileprivate init?(text: String) {
        let seconds: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
        guard let unit = text.last.flatMap({ seconds[$0] }), let count = Int64(text.dropLast()), count >= 0 else {
            return nil
        }
        self = .seconds(count * unit)
    }
}
