package import PromoWire

/// The reviews of all apps, as a value; whoever changes it writes it to disk before anybody is told.
package struct ReviewHistory: Equatable, Sendable {
    /// More apps are an error, not a loss of those that are remembered.
    package static let maximumApps = 10_000

    private var records: [String: ReviewRecord] = [:]

    /// The history in which nothing happened.
    package init() {}

    /// What is remembered of an app.
    package subscript(app: String) -> ReviewRecord? { records[app] }

    /// Whether an app can be remembered, because it is already or because there is room.
    package func hasRoom(for app: String) -> Bool {
        records[app] != nil || records.count < Self.maximumApps
    }

    /// Replaces what cannot be believed of an app (``ReviewRecord/believed(now:)``), so that a wait for it ends some day.
    /// - Returns: whether there was any.
    package mutating func correct(_ app: String, now: Timestamp) -> Bool {
        guard let record = records[app] else { return false }
        let believed = record.believed(now: now)
        records[app] = believed
        return believed != record
    }

    /// Remembers an app's first launch. False where it was known.
    package mutating func recordLaunch(of app: String, at now: Timestamp) -> Bool {
        guard records[app]?.firstLaunch == nil else { return false }
        // In whole seconds, as the file has it, so that a restart changes no answer.
        records[app, default: ReviewRecord()].firstLaunch = now.roundedDownToSecond
        return true
    }

    /// Forgets an app. False if nothing was remembered of it.
    package mutating func forget(_ app: String) -> Bool {
        records.removeValue(forKey: app) != nil
    }

    /// Remembers a request.
    package mutating func recordRequest(of app: String, at now: Timestamp) {
        _ = correct(app, now: now)
        records[app, default: ReviewRecord()].recordRequest(at: now.roundedDownToSecond)
    }
}

extension ReviewHistory {
    private static let format = 1

    /// The bytes of the file that it is kept in: a JSON object on one line, the apps sorted.
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
    /// Reads what ``fileBytes`` wrote. A history is never guessed at: whatever is not of that form is refused whole.
    /// - Throws: ``Unreadable``.
    package init(fileBytes: [UInt8]) throws(Unreadable) {
        let root: JSONValue
        do {
            root = try JSONDocument(fileBytes, maximumDepth: 5).root
        } catch {
            throw Unreadable(reason: "it is no strict JSON text: \(error)")
        }
        guard root["format"]?.integer == Self.format else {
            throw Unreadable(reason: "its format is not \(Self.format)")
        }
        guard let apps = root["apps"], apps.kind == .object else { throw Unreadable(reason: "it has no \"apps\"") }
        // What is not known would be gone after the next write.
        guard root.memberCount == 2 else { throw Unreadable(reason: "it says more than promod understands") }
        for (name, value) in apps.members {
            let app = name.string ?? ""
            // An id that was recorded before ids had a longest length stays.
            guard AppID.isMadeOfIDCharacters(app), let record = ReviewRecord(value) else {
                throw Unreadable(reason: "what it says of \"\(app.shortened())\" cannot be understood")
            }
            records[app] = record
        }
        guard records.count <= Self.maximumApps else {
            throw Unreadable(reason: "it names more than \(Self.maximumApps) apps")
        }
    }

    /// Why bytes are no history.
    package struct Unreadable: Error, Equatable, Sendable {
        /// As a clause that follows the file's name.
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
