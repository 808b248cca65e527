import Glibc
import PromoCore
import PromoTestSupport
import PromoWire

/// The life of one daemon. The origin's answers depend on the time alone, so daemons can live one after another.
struct Life<Decider: Refresher> {
    private let daemon: Daemon
    private let interval: Duration
    private let timeBetweenLooks: Duration?
    private var refresher: Decider
    private var generator: SeededGenerator
    /// Whether the daemon had no fresh catalog at the event and has fetched none since.
    private var isBehind: Bool
    /// When somebody first looked at the expired catalog, or at none, since the event.
    private var waitingSince: Timestamp?

    init(_ daemon: Daemon, _ refresher: Decider, _ options: Options) {
        self.daemon = daemon
        self.refresher = refresher
        interval = options.policy.interval
        timeBetweenLooks = options.looks > 0 ? .days(1) / options.looks : nil
        generator = SeededGenerator(seed: ~daemon.seed)
        isBehind = Self.isExpired(refresher.fetchedAt, interval, now: .event)
    }

    /// Runs all sessions, and adds up their requests.
    mutating func run(_ scenario: Scenario, _ tally: inout Tally) {
        for session in scenario.sessions(daemon) { run(session, scenario, &tally) }
        if isBehind { tally.staysBehind() }
    }

    private mutating func run(_ session: Scenario.Session, _ scenario: Scenario, _ tally: inout Tally) {
        var now = session.begin
        if !session.isResumed { refresher.started(now: now) }
        // An app that is started at login looks at once.
        var look = min(now + .seconds(5), session.end)
        var request = scenario.loop(daemon).map { max($0, now) } ?? session.end
        while true {
            let next = min(look, request)
            let isTimer = refresher.nextAt.map { $0 < next } ?? false
            now = max(now, isTimer ? refresher.nextAt ?? next : next)
            guard now < session.end else { return }
            var asks = false
            if isTimer {
                asks = refresher.timerFired(now: now)
            } else if request < look {
                asks = refresher.refreshRequested(now: now)
                request = now + .seconds(10)
            } else {
                let isStale = Self.isExpired(refresher.fetchedAt, interval, now: now)
                tally.looked(isStale: isStale, at: now)
                if isStale, waitingSince == nil, now >= .event { waitingSince = now }
                asks = refresher.looked(now: now)
                look = nextLook(after: now, until: session.end)
            }
            if asks { now = ask(scenario, &tally, now: now) }
        }
    }

    /// Asks the origin, and returns when it has answered.
    private mutating func ask(_ scenario: Scenario, _ tally: inout Tally, now: Timestamp) -> Timestamp {
        tally.requested(by: daemon, at: now)
        let answer = scenario.answer(daemon, now)
        let end = now + answer.duration
        refresher.answered(answer, now: end)
        if case .catalog = answer { fetched(&tally, now: end) }
        return end
    }

    private mutating func fetched(_ tally: inout Tally, now: Timestamp) {
        if let waitingSince { tally.waited(now - waitingSince) }
        waitingSince = nil
        if now < .event {
            isBehind = Self.isExpired(now, interval, now: .event)
        } else if isBehind {
            isBehind = false
            tally.catchesUp(at: now)
        }
    }

    /// The time of the next look: exponentially distributed, as if people came independently of each other.
    private mutating func nextLook(after now: Timestamp, until end: Timestamp) -> Timestamp {
        guard let timeBetweenLooks else { return end }
        return now + timeBetweenLooks * -log(1 - Double.random(in: 0..<1, using: &generator))
    }

    private static func isExpired(_ fetchedAt: Timestamp?, _ interval: Duration, now: Timestamp) -> Bool {
        fetchedAt.map { now >= $0 + interval } ?? true
    }
}
