package import PromoWire

/// The first launch and the review requests of one app.
package struct ReviewRecord: Equatable, Sendable {
    /// How long a request counts against the yearly limit.
    static let year = Duration.days(365)

    /// When the app was first launched; nil if no launch was recorded.
    package var firstLaunch: Timestamp?
    /// When reviews were requested, in order: those of the last year, and the latest however old it is.
    package private(set) var requests: [Timestamp]

    /// Creates a record from its times, which need not be in order.
    package init(firstLaunch: Timestamp? = nil, requests: [Timestamp] = []) {
        self.firstLaunch = firstLaunch
        self.requests = requests.sorted()
    }

    /// The record in which now replaces each time that is not believable: the clock was wrong when that was recorded.
    package func believed(now: Timestamp) -> ReviewRecord {
        func believed(_ time: Timestamp) -> Timestamp { time.isBelievable(now: now) ? time : now.roundedDownToSecond }
        return ReviewRecord(firstLaunch: firstLaunch.map(believed), requests: requests.map(believed))
    }

    /// The maximum number of kept requests. It exceeds any yearly limit, and bounds the record if there is no limit.
    static let maximumRequests = 366

    /// Adds a request, and drops requests that no rule needs any more.
    package mutating func recordRequest(at now: Timestamp) {
        let needed = requests.filter { now < $0 + Self.year }
        requests = (needed + [now]).sorted().suffix(Self.maximumRequests)
    }

    /// The earlier of the first launches, and the requests of both records.
    package func merged(with other: ReviewRecord) -> ReviewRecord {
        let launches = [firstLaunch, other.firstLaunch].compactMap(\.self)
        let all = requests + Set(other.requests).subtracting(requests)
        return ReviewRecord(firstLaunch: launches.min(), requests: all.sorted().suffix(Self.maximumRequests))
    }
}
