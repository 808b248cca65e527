import PromoWire

/// The review records of all apps, by catalog: by its address, or by its name while no address is known. A change must be on disk before
/// its request is answered.
package struct ReviewHistory: Equatable, Sendable {
    /// The maximum number of records of apps that no catalog names; another one replaces the least needed.
    package static let maximumUnnamed = 1_000

    /// An app of a catalog.
    package struct Subject: Hashable, Sendable {
        package let app: String
        package let catalog: String

        /// Names an app of a catalog.
        package init(_ app: String, in catalog: String) {
            (self.app, self.catalog) = (app, catalog)
        }
    }

    /// A move of records to the address of their catalog.
    package struct Move: Equatable, Sendable {
        /// The catalog's names and former addresses.
        package let sources: [String]
        package let address: String

        /// Creates a move from its parts.
        package init(from sources: [String], to address: String) {
            (self.sources, self.address) = (sources, address)
        }
    }

    /// The records by catalog and app; no catalog is empty.
    private var records: [String: [String: ReviewRecord]] = [:]
    private var recordBytes = 0

    /// Creates an empty history.
    package init() {}

    /// The record of an app of a catalog; nil if there is none. An empty record is removed.
    package subscript(app: String, in catalog: String = CatalogReference.defaultName) -> ReviewRecord? {
        get { records[catalog]?[app] }
        set { set(newValue == ReviewRecord() ? nil : newValue, of: app, in: catalog) }
    }

    /// The ids of the apps of a catalog whose first launch is recorded, in no order.
    package func launchedApps(in catalog: String = CatalogReference.defaultName) -> [String] {
        (records[catalog] ?? [:]).compactMap { $1.firstLaunch == nil ? nil : $0 }
    }

    /// The record of an app.
    package subscript(subject: Subject) -> ReviewRecord? {
        get { self[subject.app, in: subject.catalog] }
        set { self[subject.app, in: subject.catalog] = newValue }
    }

    /// The apps with a record, in no order.
    package var subjects: [Subject] {
        records.flatMap { catalog, apps in apps.keys.map { Subject($0, in: catalog) } }
    }

    /// The apps whose records are needed least: those without a request, by their first launch, then those whose latest request is oldest.
    package func leastNeeded(_ count: Int, of subjects: some Sequence<Subject>) -> [Subject] {
        func rank(_ subject: Subject) -> (Int, Timestamp, String) {
            let (request, launch) = (self[subject]?.requests.last, self[subject]?.firstLaunch)
            return (request == nil ? 0 : 1, request ?? launch ?? Timestamp(seconds: 0), subject.app)
        }
        if count == 1 { return subjects.min { rank($0) < rank($1) }.map { [$0] } ?? [] }
        return subjects.map { (rank: rank($0), subject: $0) }.sorted { $0.rank < $1.rank }.prefix(count).map(\.subject)
    }

    /// Adds the records of another history. Of an app in both, the earlier first launch and all requests count.
    package mutating func merge(_ other: ReviewHistory) {
        for subject in other.subjects {
            guard let record = other[subject] else { continue }
            self[subject] = self[subject]?.merged(with: record) ?? record
        }
    }

    /// Moves records to the addresses of their catalogs.
    /// - Returns: whether there were any.
    package mutating func carry(out moves: [Move]) -> Bool {
        var hasMoved = false
        for move in moves {
            for source in move.sources where source != move.address {
                for (app, record) in records[source] ?? [:] {
                    self[app, in: source] = nil
                    self[app, in: move.address] = self[app, in: move.address]?.merged(with: record) ?? record
                    hasMoved = true
                }
            }
        }
        return hasMoved
    }

    /// The length of ``fileBytes``, or a few bytes more.
    package var byteCount: Int { records.keys.reduce(40 + recordBytes) { $0 + $1.utf8.count + 6 } }

    private mutating func set(_ record: ReviewRecord?, of app: String, in catalog: String) {
        recordBytes += (record?.byteCount(of: app) ?? 0) - (records[catalog]?[app]?.byteCount(of: app) ?? 0)
        records[catalog, default: [:]][app] = record
        if records[catalog]?.isEmpty == true { records[catalog] = nil }
    }
}

extension ReviewHistory {
    /// Builds before the first release have written 1 and 2 for other forms.
    private static let format = 3

    /// The contents of the file in which the history is stored: a JSON object on one line, sorted by catalog and app.
    package var fileBytes: [UInt8] {
        JSONWriter.line { writer in
            writer.member("format", Self.format)
            writer.object("catalogs") { writer in
                for (catalog, apps) in records.sorted(by: { $0.key < $1.key }) {
                    writer.object(catalog) { writer in
                        for (app, record) in apps.sorted(by: { $0.key < $1.key }) {
                            writer.object(app, record.writeMembers)
                        }
                    }
                }
            }
        }
    }
}

extension ReviewHistory {
    /// Reads what ``fileBytes`` wrote.
    /// - Throws: ``Unreadable`` if any part has another form; nothing is guessed or skipped.
    package init(fileBytes: [UInt8]) throws(Unreadable) {
        let root: JSONValue
        do {
            root = try JSONDocument(fileBytes, maximumDepth: 6).root
        } catch {
            throw Unreadable(reason: "it is not strict JSON: \(error)")
        }
        guard root["format"]?.integer == Self.format else {
            throw Unreadable(reason: "its format is not \(Self.format), as if another version of promod had written it")
        }
        // The next write would drop an unknown member.
        guard root.memberCount == 2 else { throw Unreadable(reason: "it has members that promod does not know") }
        guard let catalogs = root["catalogs"], catalogs.kind == .object else {
            throw Unreadable(reason: "it has no \"catalogs\"")
        }
        for (name, apps) in catalogs.members {
            let catalog = name.ascii(upTo: HTTPSURL.maximumLength) ?? ""
            guard CatalogReference.isName(catalog) || HTTPSURL(catalog)?.requestText == catalog, apps.kind == .object
            else {
                throw Unreadable(reason: "its catalog \"\(name.outsideText?.shown() ?? "")\" is not valid")
            }
            try read(apps, catalog)
        }
    }

    private mutating func read(_ apps: JSONValue, _ catalog: String) throws(Unreadable) {
        for (name, value) in apps.members {
            let app = name.outsideText?.ascii(upTo: .max) ?? ""
            // The length of an id does not matter here: the file as a whole is bounded.
            guard AppID.isMadeOfIDCharacters(app), let record = ReviewRecord(value) else {
                throw Unreadable(reason: "its record of \"\(name.outsideText?.shown() ?? "")\" is not valid")
            }
            self[app, in: catalog] = record
        }
    }

    /// The error for a file that is not a valid history.
    package struct Unreadable: Error, Equatable, Sendable {
        /// The problem, as a clause in which "it" is the file.
        package let reason: String
    }
}

extension ReviewRecord {
    /// The length of the record in the file, with the app's id, which needs no escapes, and a comma.
    fileprivate func byteCount(of app: String) -> Int {
        let (time, null) = (#""2026-11-21T01:00:00Z""#.utf8.count, "null".utf8.count)
        let rest = "\"\":{\"firstLaunch\":,\"requests\":[]},".utf8.count
        let commas = max(0, requests.count - 1)
        return app.utf8.count + rest + (firstLaunch == nil ? null : time) + requests.count * time + commas
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("firstLaunch", firstLaunch)
        writer.member("requests", requests)
    }

    fileprivate init?(_ value: JSONValue) {
        guard value.memberCount == 2 else { return nil }
        guard let launch = value["firstLaunch"], let list = value["requests"], list.kind == .array else { return nil }
        let firstLaunch = launch.time
        guard firstLaunch != nil || launch.kind == .null else { return nil }
        let requests = list.elements.map(\.time)
        guard requests.allSatisfy({ $0 != nil }) else { return nil }
        self.init(firstLaunch: firstLaunch, requests: requests.compactMap(\.self))
    }
}

extension JSONValue {
    fileprivate var memberCount: Int { members.reduce(0) { count, _ in count + 1 } }
}
