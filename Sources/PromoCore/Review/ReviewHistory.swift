package import PromoWire

/// The review records of all apps, by id. A change must be on disk before its request is answered.
package struct ReviewHistory: Equatable, Sendable {
    /// The maximum number of apps; another one replaces the least needed.
    package static let maximumApps = 10_000

    /// None is empty.
    private var records: [String: ReviewRecord] = [:]

    /// Creates an empty history.
    package init() {}

    /// The record of an app; nil if there is none. An empty record is removed.
    package subscript(app: String) -> ReviewRecord? {
        get { records[app] }
        set { records[app] = newValue == ReviewRecord() ? nil : newValue }
    }

    /// The number of apps.
    package var count: Int { records.count }

    /// The ids of the apps whose first launch is recorded.
    package var launchedApps: Set<String> { Set(records.lazy.filter { $1.firstLaunch != nil }.map(\.key)) }

    // MARK: Requests

    /// Records an app's first launch.
    /// - Parameter isListed: whether a catalog has the app of an id, so that its record is needed more than others.
    package mutating func launch(_ app: String, now: Timestamp, isListed: (String) -> Bool) -> LaunchResult {
        let known = believed(app, now)
        if records[app] == nil { makeRoom(isListed) }
        let record = known.launched(now: now)
        self[app] = record
        return LaunchResult(
            app: app, firstLaunch: record.firstLaunch ?? now, isRecorded: known.firstLaunch == nil)
    }

    /// Whether an app may ask for a review now and, if not, why.
    package func eligibility(
        _ parameters: ReviewParameters, policy: ReviewPolicy, page: String?, isOnline: () -> Bool, now: Timestamp
    ) -> ReviewResult {
        policy.judge(parameters, believed(parameters.app, now), page: page, isOnline: isOnline, now: now)
    }

    /// Grants a review request if the policy allows it.
    package mutating func request(
        _ parameters: ReviewParameters, policy: ReviewPolicy, page: String?, isOnline: () -> Bool, now: Timestamp
    ) -> ReviewResult {
        let known = believed(parameters.app, now)
        var result = policy.judge(parameters, known, page: page, isOnline: isOnline, now: now)
        result.isRequest = true
        result.reviewURL = result.isGranted ? page : nil
        guard result.isGranted else { return result }
        let record = known.requested(now: now)
        self[parameters.app] = record
        result.eligibleAt = policy.waits(record, now: now).map(\.end).max() ?? now
        return result
    }

    /// Forgets an app's first launch and requests.
    package mutating func reset(_ app: String) -> ReviewResetResult {
        ReviewResetResult(app: app, wasKnown: records.removeValue(forKey: app) != nil)
    }

    /// The record of an app, in which a time ahead of the clock counts as now. A launch and a granted request write it, so that the waits
    /// that begin with such a time end; a question does not, because it may be the clock that is wrong.
    private func believed(_ app: String, _ now: Timestamp) -> ReviewRecord {
        records[app]?.believed(now: now) ?? ReviewRecord()
    }

    /// Drops the least needed records, so that another one has room: first those of apps that no catalog has, of these those without a
    /// request, and of these the oldest.
    private mutating func makeRoom(_ isListed: (String) -> Bool) {
        let surplus = records.count + 1 - Self.maximumApps
        guard surplus > 0 else { return }
        let ranked = records.map { app, record in
            let need = (isListed(app) ? 2 : 0) + (record.requests.isEmpty ? 0 : 1)
            return (need: need, last: record.requests.last ?? record.firstLaunch ?? Timestamp(seconds: 0), app: app)
        }
        let sorted = ranked.sorted { ($0.need, $0.last, $0.app) < ($1.need, $1.last, $1.app) }
        for least in sorted.prefix(surplus) { records[least.app] = nil }
    }
}

extension ReviewHistory {
    /// Builds before the first release have written 1 to 3 for other forms.
    package static let format = 4

    /// The contents of the file in which the history is stored: a JSON object on one line, sorted by app.
    package var fileBytes: [UInt8] {
        JSONWriter.line { writer in
            writer.member("format", Self.format)
            writer.object("apps") { writer in
                for (app, record) in records.sorted(by: { $0.key < $1.key }) {
                    writer.object(app) { writer in
                        writer.member("firstLaunch", record.firstLaunch)
                        writer.member("requests", record.requests)
                    }
                }
            }
        }
    }

    /// Reads what ``fileBytes`` wrote.
    /// - Throws: ``Unreadable`` if any part has another form; nothing is guessed or skipped.
    package init(fileBytes: [UInt8]) throws(Unreadable) {
        let root: JSONValue
        do {
            root = try JSONDocument(fileBytes, maximumDepth: 5).root
        } catch {
            throw Unreadable(reason: "it is not strict JSON: \(error)")
        }
        guard root["format"]?.integer == Self.format else {
            throw Unreadable(reason: "its format is not \(Self.format); another version of promod may have written it")
        }
        // The next write would drop an unknown member.
        guard root.memberCount == 2 else { throw Unreadable(reason: "it has members that promod does not know") }
        guard let apps = root["apps"], apps.kind == .object else { throw Unreadable(reason: "it has no \"apps\"") }
        for (name, value) in apps.members {
            guard let app = name.outsideText?.ascii(upTo: AppID.maximumLength), AppID.isWellFormed(app),
                let record = ReviewRecord(value)
            else { throw Unreadable(reason: "its record of \"\(name.outsideText?.shown() ?? "")\" is not valid") }
            self[app] = record
        }
    }

    /// The error for a file that is not a valid history.
    package struct Unreadable: Error, Equatable, Sendable {
        /// The problem, as a clause in which "it" is the file.
        package let reason: String
    }
}

extension ReviewRecord {
    fileprivate init?(_ value: JSONValue) {
        guard value.memberCount == 2, let launch = value["firstLaunch"], launch.time != nil || launch.kind == .null,
            let list = value["requests"], list.kind == .array
        else { return nil }
        let requests = list.elements.map(\.time)
        guard requests.allSatisfy({ $0 != nil }) else { return nil }
        self.init(firstLaunch: launch.time, requests: requests.compactMap(\.self))
    }
}

extension JSONValue {
    fileprivate var memberCount: Int { members.reduce(0) { count, _ in count + 1 } }
}

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
