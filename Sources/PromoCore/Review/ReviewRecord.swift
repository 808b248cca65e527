package import PromoWire

/// The first launch and the review requests of one app.
package struct ReviewRecord: Equatable, Sendable {
    /// How long a request counts against the yearly limit.
    static let year = Duration.days(365)

    /// When the app was first launched; nil if no launch was recorded.
    package private(set) var firstLaunch: Timestamp?
    /// When reviews were requested, in order: at least those of the last year.
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

    /// The record with a first launch now, in whole seconds as in the file, unless it has one.
    func launched(now: Timestamp) -> ReviewRecord {
        ReviewRecord(firstLaunch: firstLaunch ?? now.roundedDownToSecond, requests: requests)
    }

    /// The maximum number of kept requests. It is the highest yearly limit, and bounds the record if there is no limit.
    static let maximumRequests = 366

    /// The record with another request, in whole seconds as in the file, and without those that no rule needs any more.
    package func requested(now: Timestamp) -> ReviewRecord {
        let needed = requests.filter { now < $0 + Self.year } + [now.roundedDownToSecond]
        return ReviewRecord(firstLaunch: firstLaunch, requests: needed.sorted().suffix(Self.maximumRequests))
    }
}
