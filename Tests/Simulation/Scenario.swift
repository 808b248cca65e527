import PromoWire

/// What happens to a fleet of daemons, in times relative to the event: zero is when the power returns, the origin recovers, and so on.
struct Scenario: Sendable {
    /// A time in which a computer is on.
    struct Session: Sendable {
        var begin: Timestamp
        var end: Timestamp
        /// Whether the computer was suspended before, so that its daemon lives on; else the daemon starts.
        var isResumed = false
    }

    /// The outcome of a request to the origin.
    enum Answer: Sendable {
        case catalog
        /// The connection attempt times out.
        case silence
        case notFound
        case unavailable(retryAfter: Duration)

        var duration: Duration {
            switch self {
            case .catalog, .notFound, .unavailable: .milliseconds(100)
            case .silence: .seconds(10)
            }
        }
    }

    /// How long the fleet is observed after the event.
    static let span = Duration.days(7)

    var name: String
    var sentence: String
    /// How long the trouble before the event is observed.
    var prelude: Duration = .hours(1)
    /// The ages of the catalogs when the first session begins, drawn uniformly; nil if no daemon has a catalog.
    var ages: ClosedRange<Duration>?
    var sessions: @Sendable (Daemon) -> [Session]
    /// From when on a client of the daemon calls `refresh` every ten seconds; nil if none does.
    var loop: @Sendable (Daemon) -> Timestamp? = { _ in nil }
    var answer: @Sendable (Daemon, Timestamp) -> Answer = { _, _ in .catalog }
}

extension Timestamp {
    /// The time of the event.
    static let event = Timestamp(milliseconds: 0)
}

extension Duration {
    static func hours(_ count: Int) -> Duration { .seconds(3600 * count) }
    static func days(_ count: Int) -> Duration { .hours(24 * count) }
}
