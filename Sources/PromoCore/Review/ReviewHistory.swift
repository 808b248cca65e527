package import PromoWire

/// The review records of all apps. A change must be on disk before its request is answered.
package struct ReviewHistory: Equatable, Sendable {
    /// The most apps with a record. Another app is refused; no record is dropped to make room.
    package static let maximumApps = 10_000

    private var records: [String: ReviewRecord] = [:]

    /// Creates an empty history.
    package init() {}

    /// The record of an app.
    package subscript(app: String) -> ReviewRecord? { records[app] }

    /// Whether an app has a record or there is room for one.
    package func hasRoom(for app: String) -> Bool {
        records[app] != nil || records.count < Self.maximumApps
    }

    /// Corrects an app's times that are too far in the future (``ReviewRecord/believed(now:)``), so that a wait for them can end.
    /// - Returns: whether the record changed.
    package mutating func correct(_ app: String, now: Timestamp) -> Bool {
        guard let record = records[app] else { return false }
        let believed = record.believed(now: now)
        records[app] = believed
        return believed != record
    }

    /// Records an app's first launch.
    /// - Returns: false if one was recorded before.
    package mutating func recordLaunch(of app: String, at now: Timestamp) -> Bool {
        guard records[app]?.firstLaunch == nil else { return false }
        // In whole seconds, as in the file, so that a restart changes no answer.
        records[app, default: ReviewRecord()].firstLaunch = now.roundedDownToSecond
        return true
    }

    /// Removes an app's record.
    /// - Returns: false if there was none.
    package mutating func forget(_ app: String) -> Bool {
        records.removeValue(forKey: app) != nil
    }

    /// Records a review request of an app.
    package mutating func recordRequest(of app: String, at now: Timestamp) {
        _ = correct(app, now: now)
        records[app, default: ReviewRecord()].recordRequest(at: now.roundedDownToSecond)
    }
}

extension ReviewHistory {
    private static let format = 1

    /// The contents of the file in which the history is stored: a JSON object on one line, sorted by app.
    package var fileBytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", Self.format)
            writer.name("apps")
            writer.object { writer in
                for (app, record) in records.sorted(by: { $0.key < $1.key }) {
                    writer.name(app)
                    writer.object { writer in
                        writer.member("firstLaunch", record.firstLaunch)
                        writer.name("requests")
                        writer.array { writer in
                            for request in record.requests { writer.value(request) }
                        }
                    }
                }
            }
        }
        writer.append("\n")
        return writer.bytes
    }
}

extension ReviewHistory {
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
            throw Unreadable(reason: "its format is not \(Self.format)")
        }
        guard let apps = root["apps"], apps.kind == .object else { throw Unreadable(reason: "it has no \"apps\"") }
        // The next write would drop an unknown member.
        guard root.memberCount == 2 else { throw Unreadable(reason: "it has members that promod does not know") }
        for (name, value) in apps.members {
            let app = name.string ?? ""
            // An id may be too long: it may have been recorded before the length was limited.
            guard AppID.isMadeOfIDCharacters(app), let record = ReviewRecord(value) else {
                throw Unreadable(reason: "its record of \"\(app.shortened())\" is not valid")
            }
            records[app] = record
        }
        guard records.count <= Self.maximumApps else {
            throw Unreadable(reason: "it has more than \(Self.maximumApps) apps")
        }
    }

    /// The error for a file that is not a valid history.
    package struct Unreadable: Error, Equatable, Sendable {
        /// What is wrong, as a clause in which "it" is the file.
        package let reason: String
    }
}

extension ReviewRecord {
    fileprivate init?(_ value: JSONValue) {
        guard value.memberCount == 2 else { return nil }
        guard let launch = value["firstLaunch"], let list = value["requests"], list.kind == .array else { return nil }
        let firstLaunch = launch.string.flatMap(Timestamp.init(rfc3339:))
        guard firstLaunch != nil || launch.kind == .null else { return nil }
        let requests = list.elements.map { $0.string.flatMap(Timestamp.init(rfc3339:)) }
        guard requests.allSatisfy({ $0 != nil }) else { return nil }
        self.init(firstLaunch: firstLaunch, requests: requests.compactMap(\.self))
    }
}

extension JSONValue {
    fileprivate var memberCount: Int { members.reduce(0) { count, _ in count + 1 } }
}
