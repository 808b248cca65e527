import PromoWire

extension Timestamp {
    /// When most tests begin: 2027-01-15T08:00:00Z.
    static let start = Timestamp(seconds: 1_800_000_000)
}

extension Duration {
    static func minutes(_ count: Int) -> Duration { .seconds(60 * count) }
    static func hours(_ count: Int) -> Duration { .seconds(3600 * count) }
    static func days(_ count: Int) -> Duration { .seconds(86_400 * count) }
}
