import PromoWire

extension Scenario {
    static let all = [
        coldStart, rollOut, nineOClock, hour, lid, powerCut, outage, pause, maintenance, gone, refreshLoop,
    ]

    private static let coldStart = Scenario(
        name: "cold-start", sentence: "All start within a minute, without a catalog.",
        sessions: { daemon in [Session(begin: .event + daemon.tardiness, end: .event + span)] })

    private static let rollOut = Scenario(
        name: "roll-out", sentence: "Automatic upgrades bring a new catalog to every computer within an hour.",
        sessions: { daemon in [Session(begin: .event + .hours(1) * daemon.share, end: .event + span)] })

    private static let nineOClock = Scenario(
        name: "nine-o-clock",
        sentence: "All computers are on from nine to five, Monday to Friday. The event is a Monday, within a minute.",
        ages: .hours(64) ... .hours(72),
        sessions: { daemon in
            (Array(-7 ..< -2) + Array(0..<5)).map { day in
                let nine = Timestamp.event + .days(day)
                return Session(begin: nine + daemon.tardiness, end: nine + .hours(8))
            }
        })

    private static let hour = Scenario(
        name: "an-hour-a-day",
        sentence: "All computers are on from nine to ten, every day. Half of them sleep meanwhile, the others are off.",
        ages: .zero ... .days(1),
        sessions: { daemon in
            (-14..<7).map { day in
                let nine = Timestamp.event + .days(day) + daemon.tardiness
                return Session(begin: nine, end: nine + .hours(1), isResumed: day > -14 && daemon.index % 2 == 0)
            }
        })

    private static let powerCut = Scenario(
        name: "power-cut",
        sentence: "The power returns to a building after 26 hours. The other computers are always on.",
        ages: .zero ... .days(1),
        sessions: { daemon in
            guard daemon.isInBuilding else { return always }
            return [
                Session(begin: .event - warmUp, end: .event - .hours(26)),
                Session(begin: .event, end: .event + span),
            ]
        })

    private static let outage = Scenario(
        name: "outage", sentence: "The origin returns after six hours in which no connection succeeded.",
        prelude: .hours(7), ages: .zero ... .days(1),
        sessions: { _ in always },
        answer: { _, now in now < .event && now >= .event - .hours(6) ? .silence : .catalog })

    private static let pause = Scenario(
        name: "retry-after-1h", sentence: "The origin returns after two hours of 503 with Retry-After: 3600.",
        prelude: .hours(3), ages: .zero ... .days(1),
        sessions: { _ in always },
        answer: { _, now in isInMaintenance(now) ? .unavailable(retryAfter: .hours(1)) : .catalog })

    private static let maintenance = Scenario(
        name: "retry-after-date",
        sentence: "The origin returns after two hours of 503 with the date of its return in Retry-After.",
        prelude: .hours(3), ages: .zero ... .days(1),
        sessions: { _ in always },
        answer: { _, now in isInMaintenance(now) ? .unavailable(retryAfter: .event - now) : .catalog })

    private static let lid = Scenario(
        name: "lid", sentence: "All lids are closed from 22:00 to 07:00. The event is an opening, within a minute.",
        ages: .zero ... .days(1),
        sessions: { daemon in
            (-5..<7).map { day in
                let morning = Timestamp.event + .days(day)
                return Session(begin: morning + daemon.tardiness, end: morning + .hours(15), isResumed: day > -5)
            }
        })

    private static let gone = Scenario(
        name: "gone", sentence: "From the event on, the origin answers 404.",
        ages: .zero ... .days(1),
        sessions: { _ in always },
        answer: { _, now in now < .event ? .catalog : .notFound })

    private static let refreshLoop = Scenario(
        name: "refresh-loop",
        sentence: "From some time of the first day, one computer in a thousand calls refresh every ten seconds.",
        ages: .zero ... .days(1),
        sessions: { _ in always },
        loop: { $0.index % 1000 == 0 ? .event + .days(1) * $0.share : nil })

    /// How long a fleet runs before the event, so that the draws of its refreshes have mixed.
    private static let warmUp = Duration.days(5)

    private static let always = [Session(begin: .event - warmUp, end: .event + span)]

    private static func isInMaintenance(_ now: Timestamp) -> Bool {
        now < .event && now >= .event - .hours(2)
    }
}
