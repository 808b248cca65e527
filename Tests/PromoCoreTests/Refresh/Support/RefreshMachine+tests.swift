@testable import PromoCore
import PromoTestSupport
import PromoWire
import Testing

typealias Machine = RefreshMachine<SeededGenerator>

extension RefreshMachine<SeededGenerator> {
    /// A machine at a daemon's start, by default with the default policy, an origin and an empty cache.
    static func started(
        _ policy: RefreshPolicy = RefreshPolicy(), hasOrigin: Bool = true, fetchedAt: Timestamp? = nil,
        schedule: RefreshSchedule = RefreshSchedule(), now: Timestamp = .start, seed: UInt64 = 1
    ) -> Machine {
        Machine(
            policy: policy, hasOrigin: hasOrigin, fetchedAt: fetchedAt, schedule: schedule, now: now,
            generator: SeededGenerator(seed: seed))
    }

    /// The machine of the next process, which knows only the schedule's file and the time of the catalog.
    func restarted(now: Timestamp, seed: UInt64 = 2) throws -> Machine {
        let schedule = try #require(RefreshSchedule(fileBytes: schedule.fileBytes))
        return .started(
            policy, hasOrigin: hasOrigin, fetchedAt: fetchedAt, schedule: schedule, now: now, seed: seed)
    }

    /// Whether the catalog that is held has expired; false if none is held.
    func isExpired(now: Timestamp) -> Bool {
        fetchedAt.map {
            now >= $0 + policy.interval || !$0.isBelievable(now: now)
        } ?? false
    }

    /// Begins the fetch that is due.
    mutating func begin(now: Timestamp, sourceLocation: SourceLocation = #_sourceLocation) throws -> FetchID {
        let action = timerFired(elapsed: true, now: now)
        return try #require(action.fetch, "no fetch was due", sourceLocation: sourceLocation)
    }

    /// Carries out the fetch that is due, which takes no time.
    mutating func fetch(
        _ end: FetchEnd, now: Timestamp, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let id = try begin(now: now, sourceLocation: sourceLocation)
        let counted = fetchEnded(id, end, now: now)
        try #require(counted, sourceLocation: sourceLocation)
    }

    /// Carries out each fetch when it is due, until `times` have failed.
    /// - Returns: the time of the last.
    mutating func fail(times: Int, now: Timestamp) throws -> Timestamp {
        var now = now
        for _ in 0..<times {
            now = max(now, try #require(next).at)
            try fetch(.failure, now: now)
        }
        return now
    }
}

extension RefreshSchedule {
    /// The schedule as it is in the file.
    var fileBytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writeMembers(to: &$0) }
        writer.append("\n")
        return writer.bytes
    }

    /// Reads what ``fileBytes`` wrote.
    init?(fileBytes: [UInt8]) {
        guard let root = try? JSONDocument(fileBytes, maximumDepth: 4).root else { return nil }
        self.init(root)
    }
}

extension Machine.FetchID? {
    var fetch: Machine.FetchID? { self }
}

extension RefreshMachine.RequestAction {
    var fetch: RefreshMachine.FetchID? {
        if case .fetch(let id) = self { id } else { nil }
    }
}

extension FetchEnd {
    /// A failure of the origin.
    static var failure: Self { failure(retryAfter: nil) }
    static var gone: Self {
        .failed(Failure(.httpStatus, "The origin answers 404."), retryAfter: nil, isOffline: false, isGone: true)
    }

    /// A failure of the origin, with a Retry-After.
    static func failure(retryAfter: Duration?) -> Self {
        .failed(Failure(.httpStatus, "The origin answered 503."), retryAfter: retryAfter, isOffline: false)
    }

    /// A failure because there is no network.
    static var offline: Self {
        .failed(Failure(.dns, "No such name."), retryAfter: nil, isOffline: true)
    }
}

extension RefreshPolicy {
    /// The default policy without randomness: no spread, and each retry after a minute.
    static var exact: RefreshPolicy {
        var policy = RefreshPolicy()
        policy.spread = .zero
        policy.backoff = .exact
        return policy
    }
}

extension Backoff {
    /// A backoff in which each delay is a minute.
    static var exact: Backoff {
        var backoff = Backoff()
        backoff.floor = .minutes(1)
        backoff.cap = .minutes(1)
        return backoff
    }
}
