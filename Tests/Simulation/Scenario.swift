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
        case unavailable(retryAfter: Duration)
    }

    /// How long the fleet is observed after the event.
    static let span = Duration.days(7)
    /// How long a fleet runs before the event, so that the draws of its refreshes have mixed.
    private static let warmUp = Duration.days(5)
    private static let always = [Session(begin: .event - warmUp, end: .event + span)]

    var name: String
    var sentence: String
    /// How long the trouble before the event is observed.
    var prelude: Duration = .hours(1)
    /// The ages of the catalogs when the first session begins, drawn uniformly; nil if no daemon has a catalog.
    var ages: ClosedRange<Duration>?
    var sessions: @Sendable (Daemon) -> [Session] = { _ in always }
    /// From when on a client of the daemon calls `refresh` every ten seconds; nil if none does.
    var loop: @Sendable (Daemon) -> Timestamp? = { _ in nil }
    var answer: @Sendable (Timestamp) -> Answer = { _ in .catalog }

    static let all = [
        Scenario(
            name: "cold-start", sentence: "All start within a minute, without a catalog.",
            sessions: { daemon in [Session(begin: .event + daemon.tardiness, end: .event + span)] }),
        Scenario(
            name: "roll-out", sentence: "Automatic upgrades bring a new catalog to every computer within an hour.",
            sessions: { daemon in [Session(begin: .event + .hours(1) * daemon.share, end: .event + span)] }),
        Scenario(
            name: "nine-o-clock",
            sentence:
                "All computers are on from nine to five, Monday to Friday. The event is a Monday, within a minute.",
            ages: .hours(64) ... .hours(72),
            sessions: { daemon in
                (Array(-7 ..< -2) + Array(0..<5)).map { day in
                    let nine = Timestamp.event + .days(day)
                    return Session(begin: nine + daemon.tardiness, end: nine + .hours(8))
                }
            }),
        Scenario(
            name: "lid", sentence: "All lids are closed from 22:00 to 07:00. The event is an opening, within a minute.",
            ages: .zero ... .days(1),
            sessions: { daemon in
                (-5..<7).map { day in
                    let morning = Timestamp.event + .days(day)
                    return Session(begin: morning + daemon.tardiness, end: morning + .hours(15), isResumed: day > -5)
                }
            }),
        Scenario(
            name: "power-cut",
            sentence: "The power returns to a building after 26 hours. The other computers are always on.",
            ages: .zero ... .days(1),
            sessions: { daemon in
                guard daemon.isInBuilding else { return always }
                return [
                    Session(begin: .event - warmUp, end: .event - .hours(26)),
                    Session(begin: .event, end: .event + span),
                ]
            }),
        Scenario(
            name: "outage", sentence: "The origin returns after six hours in which no connection succeeded.",
            prelude: .hours(7), ages: .zero ... .days(1),
            answer: { now in now < .event && now >= .event - .hours(6) ? .silence : .catalog }),
        Scenario(
            name: "retry-after", sentence: "The origin returns after two hours of 503 with Retry-After: 3600.",
            prelude: .hours(3), ages: .zero ... .days(1),
            answer: { now in
                now < .event && now >= .event - .hours(2) ? .unavailable(retryAfter: .hours(1)) : .catalog
            }),
        Scenario(
            name: "refresh-loop",
            sentence: "From some time of the first day, one computer in a thousand calls refresh every ten seconds.",
            ages: .zero ... .days(1),
            loop: { $0.index % 1000 == 0 ? .event + .days(1) * $0.share : nil }),
    ]
}

extension Timestamp {
    /// The time of the event.
    static let event = Timestamp(milliseconds: 0)
}

extension Duration {
    static func minutes(_ count: Int) -> Duration { .seconds(60 * count) }
    static func hours(_ count: Int) -> Duration { .minutes(60 * count) }
    static func days(_ count: Int) -> Duration { .hours(24 * count) }
}
