import Glibc
import Logging
import PromoCore
import PromoWire

/// The review history on disk. A file that cannot be read is never overwritten.
///
/// A change is made in memory first, and ``store()`` writes all that were made since the last time. No reply that depends on a change may
/// be sent before that.
struct ReviewStore {
    static let name = "reviews.json"
    /// While a file of this name exists, no person has looked at it yet, and requests are refused, after a restart too.
    static let damagedName = "reviews.json.damaged"
    /// Not the name of the cache's lock, because one directory may serve as both.
    private static let lockName = "reviews.lock"
    /// Ten thousand apps with a few requests each take 2 MB.
    static let maximumBytes = 16 * 1024 * 1024
    /// The longest file: the addresses of catalogs may take the place of names in one that is full.
    static let maximumFileBytes = maximumBytes + 2 * NamedCatalog.maximumCount * HTTPSURL.maximumLength
    /// How often a write is tried again because the file was replaced meanwhile.
    private static let maximumTries = 5
    /// How long a file that cannot be read stays where it is, in case somebody is still writing it.
    private static let rest: Milliseconds = 2000
    /// Apps that no catalog names leave the rest to those that one names.
    private static let maximumBytesWithUnnamed = maximumBytes / 2

    private let directory: PrivateDirectory
    private let logger: Logger
    /// Whether a catalog names an app now; nil if it serves nothing, so that this is not known.
    private let isNamed: (Subject) -> Bool?
    private var open: Open?
    /// Why the changes that waited for a write are gone.
    private var loss: RequestError?
    private var reportedProblem: String?
    /// Why this daemon set a file aside; nil if an earlier one did.
    private var damage: String?
    /// A file that replaced the history and could not be read, and since when it is as it is.
    private var suspect: (identity: FileIdentity, since: Milliseconds)?
    private let uptime: @Sendable () -> Milliseconds
    /// Where the records belong that a file has under the names of catalogs.
    private var moves: [ReviewHistory.Move] = []
    /// What was in force when the file became unusable. It counts again when there is a usable one.
    private var known: ReviewHistory?

    typealias Subject = ReviewHistory.Subject

    init(
        directory: PrivateDirectory, logger: Logger, uptime: @escaping @Sendable () -> Milliseconds,
        isNamed: @escaping (Subject) -> Bool? = { _ in true }
    ) {
        self.uptime = uptime
        self.directory = directory
        self.logger = logger
        self.isNamed = isNamed
    }

    private struct Open {
        /// With the changes that are not on disk yet.
        var history: ReviewHistory
        /// Without them.
        var stored: ReviewHistory
        /// The file as it was when it was read or written; nil if there was none.
        var identity: FileIdentity?
        /// Whether `stored` has more than the file.
        var isBehind = false
        /// The apps of these changes, even if they have undone each other: a reply may tell of the first.
        var changed: Set<Subject> = []
        /// Those of them whose records were removed, so that none comes back from a file that replaces the history.
        var forgotten: Set<Subject> = []
        /// The apps that no catalog names, or of which that is not known because they were recorded while their catalog served nothing.
        var unnamed: Set<Subject> = []
        /// Whether `unnamed` is to be found out again.
        var isUnnamedOld = true
        /// Against a daemon that has another cache but the same state directory.
        var lock: LockFile

        /// Changes that wait for a write move with their records.
        mutating func carry(out moves: [ReviewHistory.Move]) {
            func moved(_ subject: Subject) -> Subject {
                let move = moves.first { $0.sources.contains(subject.catalog) }
                return move.map { Subject(subject.app, in: $0.address) } ?? subject
            }
            (changed, forgotten, isUnnamedOld) = (Set(changed.map(moved)), Set(forgotten.map(moved)), true)
        }

        mutating func dropChanges() {
            (history, changed, forgotten, isUnnamedOld) = (stored, [], [], true)
        }

        /// Takes over what a file has that replaced the history.
        /// - Parameter isWritten: whether the file has it in the form in which it is written.
        /// - Returns: false if an app was granted a request meanwhile, and the file has one too: then no change is left.
        mutating func merge(_ file: ReviewHistory, isWritten: Bool, _ identity: FileIdentity?) -> Bool {
            let isOvertaken = changed.contains { app in
                let (known, found) = (stored[app]?.requests ?? [], file[app]?.requests ?? [])
                return !forgotten.contains(app) && history[app]?.requests ?? [] != known
                    && !Set(found).isSubset(of: known)
            }
            let (changes, before) = (history, stored)
            self.identity = identity
            stored.merge(file)
            isBehind = stored != file || !isWritten
            (history, isUnnamedOld) = (stored, true)
            for app in changed {
                let others = forgotten.contains(app) ? nil : file[app]
                var record = changes[app].map { others?.merged(with: $0) ?? $0 }
                // Whoever was answered that it is shown again must not find it hidden.
                if changes[app]?.isHidden != before[app]?.isHidden { record?.isHidden = changes[app]?.isHidden == true }
                history.set(record, of: app.app, in: app.catalog)
            }
            if isOvertaken { dropChanges() }
            return !isOvertaken
        }
    }

    /// The history without changes that are not on disk yet; nil while it cannot be used.
    var history: ReviewHistory? { open?.stored }

    /// Why it cannot be read or written; nil if it can.
    var problem: String? { reportedProblem }

    /// Whether the file has less than it should, because it was replaced or removed.
    var isBehind: Bool { open?.isBehind == true }

    /// Leaves the history to another promod, until it is used again.
    mutating func close() {
        (open, loss) = (nil, nil)
    }

    /// Moves what is recorded under names, now and whenever a file has such records, to the catalogs' addresses.
    mutating func carry(out moves: [ReviewHistory.Move]) {
        self.moves = moves
        _ = known?.carry(out: moves)
        guard open?.history.carry(out: moves) == true else { return }
        if open?.stored.carry(out: moves) == true { open?.isBehind = true }
        open?.carry(out: moves)
    }

    /// Other catalogs are served.
    mutating func namesChanged() { open?.isUnnamedOld = true }

    /// Whether the file has changed since it was read or written, or could not be used.
    var isToBeRead: Bool {
        guard let open else { return true }
        return open.identity != FileIdentity(of: directory.path(of: Self.name)) || !open.lock.isInPlace
    }

    /// Whether everything that happened to an app is on disk.
    func isStored(_ app: String, in catalog: String = CatalogReference.defaultName) -> Bool {
        open?.changed.contains(Subject(app, in: catalog)) != true
    }

    /// Opens the history if it is not open, since a problem that prevented it may have been fixed, or reads it again if its file was
    /// replaced.
    /// - Throws: `not-stored`.
    mutating func prepare() throws(RequestError) {
        // Before it is read, so that a change meanwhile is seen later.
        let identity = FileIdentity(of: directory.path(of: Self.name))
        if let open, open.identity == identity, open.lock.isInPlace { return }
        do throws(RequestError) {
            if open == nil {
                try usable { () throws(SystemError) in try directory.create() }
                // The lock before the file: another daemon may be writing it.
                let lock = try takeLock()
                let identity = FileIdentity(of: directory.path(of: Self.name))
                let (file, isWritten) = try moved(read())
                let history = try joined(known, file)
                open = Open(
                    history: history, stored: history, identity: identity, isBehind: !isWritten || history != file,
                    lock: lock)
                known = nil
            } else {
                if open?.lock.isInPlace == false {
                    // Somebody removed the directory, and another daemon may have taken the lock that it finds there.
                    try usable { () throws(SystemError) in try directory.create() }
                    let lock = try takeLock()
                    open?.lock = lock
                }
                let (file, isWritten) = try moved(read())
                _ = try joined(open?.stored, file)
                if open?.merge(file, isWritten: isWritten, identity) == false {
                    loss = RequestError(
                        .notStored, "The review history was replaced meanwhile, and nothing changed; try again.")
                }
            }
            (reportedProblem, damage) = (nil, nil)
        } catch {
            // What was read before must not be written over a file that cannot be read.
            if open?.changed.isEmpty == false { loss = error }
            if let open { known = open.stored }
            open = nil
            throw report(error)
        }
    }

    /// What a file has, by the catalogs' addresses, and whether it has it so.
    private func moved(_ file: ReviewHistory) -> (ReviewHistory, isWritten: Bool) {
        var file = file
        let hasMoved = file.carry(out: moves)
        return (file, !hasMoved)
    }

    /// What both have.
    /// - Throws: `not-stored` if that is too long to be written; then neither counts until somebody has made the file smaller.
    private func joined(_ known: ReviewHistory?, _ file: ReviewHistory) throws(RequestError) -> ReviewHistory {
        guard var all = known else { return file }
        all.merge(file)
        guard all.byteCount <= max(Self.maximumBytes, file.byteCount) else {
            throw full(
                "The review history was replaced by one with which it has no room: it is at most \(Self.maximumBytes) bytes"
            )
        }
        return all
    }

    /// The record of an app, with changes that are not on disk yet.
    /// - Throws: `not-stored`.
    mutating func record(
        of app: String, in catalog: String = CatalogReference.defaultName
    ) throws(RequestError) -> ReviewRecord? {
        try prepare()
        return open?.history[app, in: catalog]
    }

    /// Records an app's first launch.
    mutating func launch(
        _ app: String, in catalog: String = CatalogReference.defaultName, now: Timestamp
    ) throws(RequestError) -> LaunchResult {
        let record = try record(of: app, in: catalog)
        let isNamed = record != nil ? true : isNamed(Subject(app, in: catalog))
        if isNamed != true, open?.history.byteCount ?? 0 >= Self.maximumBytesWithUnnamed {
            throw full("The review history has no room for \"\(app.shortened())\", which no catalog names")
        }
        try change(app, in: catalog) { history in
            _ = history.correct(app, in: catalog, now: now)
            _ = history.recordLaunch(of: app, in: catalog, at: now)
        }
        if isNamed != true { makeRoom(for: Subject(app, in: catalog)) }
        let firstLaunch = open?.history[app, in: catalog]?.firstLaunch ?? now
        return LaunchResult(app: app, firstLaunch: firstLaunch, isRecorded: record?.firstLaunch == nil)
    }

    /// Drops records if too many apps have one that no catalog names.
    private mutating func makeRoom(for new: Subject) {
        guard var open = open.take() else { return }
        defer { self.open = open }
        if open.isUnnamedOld {
            let before = open.unnamed
            open.unnamed = Set(open.history.subjects.filter { !(isNamed($0) ?? !before.contains($0)) })
            open.isUnnamedOld = false
        }
        open.unnamed.remove(new)
        let surplus = open.unnamed.count - ReviewHistory.maximumUnnamed + 1
        if surplus > 0 {
            for app in open.history.leastNeeded(surplus, of: open.unnamed) {
                open.unnamed.remove(app)
                open.history.set(nil, of: app.app, in: app.catalog)
                open.changed.insert(app)
                open.forgotten.insert(app)
            }
        }
        open.unnamed.insert(new)
    }

    /// Grants a review request if the policy allows it.
    mutating func request(
        _ parameters: ReviewParameters, in catalog: String = CatalogReference.defaultName, policy: ReviewPolicy,
        page: String?, isOnline: () -> Bool, now: Timestamp
    ) throws(RequestError) -> ReviewResult {
        let app = parameters.app
        let verdict = policy.judge(
            parameters, try record(of: app, in: catalog), page: page, isOnline: isOnline, now: now)
        guard verdict.isEligible else { return verdict.refusal(of: app) }
        try change(app, in: catalog) { $0.recordRequest(of: app, in: catalog, at: now) }
        let granted = open?.history[app, in: catalog]
        let next = policy.judge(granted, completed: .max, now: now).eligibleAt
        return ReviewVerdict.grant(to: app, at: granted?.requests.last, next: next ?? now, page: page)
    }

    /// Takes a request back that nobody could see.
    mutating func returnRequest(
        _ parameters: ReturnParameters, in catalog: String = CatalogReference.defaultName, now: Timestamp
    ) throws(RequestError) -> ReviewReturnResult {
        let app = parameters.app
        try prepare()
        var isReturned = false
        try change(app, in: catalog) {
            isReturned = $0.returnRequest(of: app, in: catalog, at: parameters.requestedAt, now: now)
        }
        return ReviewReturnResult(app: app, isReturned: isReturned)
    }

    /// Forgets an app.
    mutating func reset(
        _ app: String, in catalog: String = CatalogReference.defaultName
    ) throws(RequestError) -> ReviewResetResult {
        try prepare()
        var wasKnown = false
        try change(app, in: catalog) { wasKnown = $0.forget(app, in: catalog) }
        open?.forgotten.insert(Subject(app, in: catalog))
        open?.unnamed.remove(Subject(app, in: catalog))
        return ReviewResetResult(app: app, wasKnown: wasKnown)
    }

    /// Has lists leave an app out, or no longer.
    mutating func setHidden(
        _ isHidden: Bool, _ app: String, in catalog: String = CatalogReference.defaultName
    ) throws(RequestError) -> VisibilityResult {
        try prepare()
        var hasChanged = false
        try change(app, in: catalog) { hasChanged = $0.setHidden(isHidden, app, in: catalog) }
        return VisibilityResult(app: app, isHidden: isHidden, hasChanged: hasChanged)
    }

    /// Changes an app's record in memory.
    /// - Throws: `not-stored` if the history would be too long; then nothing changed.
    private mutating func change(
        _ app: String, in catalog: String, _ body: (inout ReviewHistory) -> Void
    ) throws(RequestError) {
        // Taken out, because a second reference would mean a copy of all records.
        guard var open = open.take() else { return }
        defer { self.open = open }
        let (record, byteCount) = (open.history[app, in: catalog], open.history.byteCount)
        body(&open.history)
        // A file that is too long to be read would mean that every request is refused after a restart.
        guard open.history.byteCount <= max(Self.maximumBytes, byteCount) else {
            open.history.set(record, of: app, in: catalog)
            throw full("The review history has no room: it is at most \(Self.maximumBytes) bytes")
        }
        if open.history[app, in: catalog] != record { open.changed.insert(Subject(app, in: catalog)) }
    }

    // MARK: The file

    private func full(_ problem: String) -> RequestError {
        RequestError(
            .notStored, "\(problem); remove some from \(directory.path(of: Self.name)) while promod is stopped.")
    }

    /// Writes the changes since the last time, if there are any.
    /// - Throws: `not-stored`; then they are undone.
    mutating func store() throws(RequestError) {
        // What is not written is undone.
        defer { open?.dropChanges() }
        for _ in 0..<Self.maximumTries where try storeUnlessReplaced() { return }
        throw report(RequestError(.notStored, "The review history is replaced again and again, and nothing changed."))
    }

    /// Writes the changes, unless the file is replaced meanwhile. Returns whether nothing is left to do.
    private mutating func storeUnlessReplaced() throws(RequestError) -> Bool {
        if open != nil { try prepare() }
        if let loss = loss.take() { throw loss }
        guard let open, isBehind || open.history != open.stored else { return true }
        let history = open.history
        guard history.byteCount <= Self.maximumFileBytes || !isBehind else {
            throw report(full("The review history has no room: it is at most \(Self.maximumBytes) bytes"))
        }
        do {
            guard let written = try directory.replace(Self.name, open.identity, with: [history.fileBytes]) else {
                return false
            }
            self.open?.identity = written.identity
            self.open?.stored = history
            self.open?.isBehind = false
            reportedProblem = nil
            guard let problem = written.durability.problem else { return true }
            logger.log(
                .notDurable, "The review history was written, but a power cut may undo that: \(problem)",
                ["error": "storage"])
            return true
        } catch {
            throw report(RequestError(.notStored, "The review history was not written, and nothing changed: \(error)."))
        }
    }

    private func takeLock() throws(RequestError) -> LockFile {
        do throws(LockFile.Failure) {
            return try LockFile.take(directory.path(of: Self.lockName))
        } catch {
            switch error {
            case .held(let held):
                throw RequestError(.notStored, "The review history is in use by \(held.owner), in \(directory.path).")
            case .system(let error):
                throw unusable(error)
            }
        }
    }

    private mutating func read() throws(RequestError) -> ReviewHistory {
        let (name, damaged) = (directory.path(of: Self.name), directory.path(of: Self.damagedName))
        if try usable({ () throws(SystemError) in try FileReader.exists(damaged) }) {
            throw refusal(because: damage ?? "it could not be read")
        }
        // Before it is read, so that a change meanwhile is seen later.
        let identity = FileIdentity(of: name)
        let bytes = try usable { () throws(SystemError) in
            try FileReader.read(name, maximumBytes: Self.maximumFileBytes)
        }
        guard let bytes else {
            // A dangling symbolic link is not an empty history: its target may come back.
            guard try !usable({ () throws(SystemError) in try FileReader.exists(name) }) else {
                throw unusable(SystemError("read", name, number: ENOENT))
            }
            return ReviewHistory()
        }
        do throws(ReviewHistory.Unreadable) {
            return try ReviewHistory(fileBytes: bytes)
        } catch {
            if let identity, open != nil || known != nil, !hasRested(identity) {
                throw RequestError(
                    .notStored,
                    "The review history \(name) was replaced by one that cannot be used, because \(error.reason). If it is still "
                        + "being written, try again.")
            }
            _ = try usable { () throws(SystemError) in try directory.move(Self.name, to: Self.damagedName) }
            damage = error.reason
            throw refusal(because: error.reason)
        }
    }

    /// Whether a file has been as it is for long enough.
    private mutating func hasRested(_ identity: FileIdentity) -> Bool {
        if let suspect, suspect.identity == identity { return uptime() >= suspect.since + Self.rest }
        suspect = (identity, uptime())
        return false
    }

    private func usable<Value>(_ body: () throws(SystemError) -> Value) throws(RequestError) -> Value {
        do throws(SystemError) { return try body() } catch { throw unusable(error) }
    }

    private func unusable(_ error: SystemError) -> RequestError {
        RequestError(.notStored, "The review history cannot be used, and nothing changed: \(error).")
    }

    private func refusal(because reason: String) -> RequestError {
        let (file, damaged) = (directory.path(of: Self.name), directory.path(of: Self.damagedName))
        return RequestError(
            .notStored,
            "The review history was set aside as \(damaged), because \(reason). No review is granted until somebody has "
                + "looked at it: fix it and rename it to \(file), or remove it to go on without it.")
    }

    /// Logs a problem once, however often it occurs.
    private mutating func report(_ error: RequestError) -> RequestError {
        if reportedProblem != error.message {
            reportedProblem = error.message
            logger.log(.reviewsNotStored, error.message, ["error": "\(error.reason.rawValue)"])
        }
        return error
    }
}
