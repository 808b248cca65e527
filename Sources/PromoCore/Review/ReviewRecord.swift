package import PromoWire

/// The first launch and the review requests of one app, and whether the person has hidden it.
package struct ReviewRecord: Equatable, Sendable {
    /// How long a request counts against the yearly limit.
    static let year = Duration.days(365)

    /// When the app was first launched; nil if no launch was recorded.
    package var firstLaunch: Timestamp?
    /// When reviews were requested, in order: those of the last year, and the latest two however old they are.
    package private(set) var requests: [Timestamp]
    /// Whether lists leave the app out.
    package var isHidden: Bool

    /// Creates a record from its times, which need not be in order.
    package init(firstLaunch: Timestamp? = nil, requests: [Timestamp] = [], isHidden: Bool = false) {
        self.firstLaunch = firstLaunch
        self.isHidden = isHidden
        self.requests = requests.sorted()
    }

    /// The record in which now replaces each time that is not believable: the clock was wrong when that was recorded.
    package func believed(now: Timestamp) -> ReviewRecord {
        func believed(_ time: Timestamp) -> Timestamp { time.isBelievable(now: now) ? time : now.roundedDownToSecond }
        return ReviewRecord(
            firstLaunch: firstLaunch.map(believed), requests: requests.map(believed), isHidden: isHidden)
    }

    /// The maximum number of kept requests. It exceeds any yearly limit, and bounds the record if there is no limit.
    static let maximumRequests = 366

    /// Adds a request, and drops requests that no rule needs any more.
    package mutating func recordRequest(at now: Timestamp) {
        // The previous request becomes the latest again if this one is returned.
        let needed = requests.filter { now < $0 + Self.year || $0 == requests.last }
        requests = (needed + [now]).sorted().suffix(Self.maximumRequests)
    }

    /// How long a request can be returned.
    static let returnTime = Duration.seconds(600)

    /// Removes the latest request if it has this time, at most ``returnTime`` ago.
    /// - Returns: whether it was removed.
    package mutating func returnRequest(at time: Timestamp, now: Timestamp) -> Bool {
        guard requests.last == time, time.isBelievable(now: now), now - time <= Self.returnTime else { return false }
        requests.removeLast()
        return true
    }

    /// Whether there is neither a launch nor a request.
    package var isUnused: Bool { firstLaunch == nil && requests.isEmpty }

    /// The earlier of the first launches, and the requests of both records; hidden if one of them is.
    package func merged(with other: ReviewRecord) -> ReviewRecord {
        let launches = [firstLaunch, other.firstLaunch].compactMap(\.self)
        let all = requests + Set(other.requests).subtracting(requests)
        return ReviewRecord(
            firstLaunch: launches.min(), requests: all.sorted().suffix(Self.maximumRequests),
            isHidden: isHidden || other.isHidden)
    }
}
