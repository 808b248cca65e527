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

    /// Adds a request, and forgets those that no rule asks about any more.
    package mutating func recordRequest(at now: Timestamp) {
        requests = (requests.filter { now < $0 + Self.year } + [now]).sorted()
    }
}
