package import PromoWire

/// What is remembered of one app's reviews.
package struct ReviewRecord: Equatable, Sendable {
    /// How long a request counts against the yearly limit.
    static let year = Duration.days(365)

    /// When the app was first launched; nil where nobody said so.
    package var firstLaunch: Timestamp?
    /// When reviews were requested, in order: the last year's, and the latest however old.
    package private(set) var requests: [Timestamp]

    /// A record with its times, which need not be in order.
    package init(firstLaunch: Timestamp? = nil, requests: [Timestamp] = []) {
        self.firstLaunch = firstLaunch
        self.requests = requests.sorted()
    }

    /// How far ahead of now a time may lie: clocks are corrected by moments.
    static let tolerance = Duration.seconds(300)

    /// The record as it can be believed: a time further ahead was written under a clock that ran ahead, and counts as now.
    func believed(now: Timestamp) -> ReviewRecord {
        func believed(_ time: Timestamp) -> Timestamp { time > now + Self.tolerance ? now.roundedDownToSecond : time }
        return ReviewRecord(firstLaunch: firstLaunch.map(believed), requests: requests.map(believed))
    }

    /// More than any yearly limit; with none, requests could be recorded without end.
    static let maximumRequests = 366

    /// Adds a request, and forgets those that no rule asks about any more.
    package mutating func recordRequest(at now: Timestamp) {
        requests = (requests.filter { now < $0 + Self.year } + [now]).sorted().suffix(Self.maximumRequests)
    }
}
