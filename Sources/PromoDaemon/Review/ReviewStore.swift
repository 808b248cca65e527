import Glibc
import Logging
import PromoCore
import PromoWire

/// The review history on disk. A file that cannot be read is never overwritten.
///
/// A change is made in memory first, and ``store()`` writes all that were made since the last time. No reply that depends on a change may
/// be sent before that.
struct ReviewStore {
    private static let name = "reviews.json"
    /// While a file of this name exists, no person has looked at it yet, and requests are refused, after a restart too.
    private static let damagedName = "reviews.json.damaged"
    /// Not the name of the cache's lock, because one directory may serve as both.
    private static let lockName = "reviews.lock"
    /// Ten thousand apps with a few requests each take 2 MB.
    private static let maximumBytes = 16 * 1024 * 1024

    private let directory: PrivateDirectory
    private let logger: Logger
    private var open: Open?
    private var reportedProblem: String?
    /// Why this daemon set a file aside; nil if an earlier one did.
    private var damage: String?

    init(directory: PrivateDirectory, logger: Logger) {
        self.directory = directory
        self.logger = logger
    }

    private struct Open {
        /// With the changes that are not on disk yet.
        var history: ReviewHistory
        /// As it is on disk.
        var stored: ReviewHistory
        /// The apps of these changes, even if they have undone each other: a reply may tell of the first.
        var changed: Set<Subject> = []
        /// Against a daemon that has another cache but the same state directory.
        let lock: LockFile
    }

    /// The history on disk; nil while it cannot be used.
    var history: ReviewHistory? { open?.stored }

    private struct Subject: Hashable {
        let app: String
        let catalog: String
    }

    /// Whether everything that happened to an app is on disk.
    func isStored(_ app: String, in catalog: String = CatalogReference.defaultName) -> Bool {
        open?.changed.contains(Subject(app: app, catalog: catalog)) != true
    }

    /// Opens the history if it is not open; a problem that prevented it may have been fixed.
    /// - Throws: `not-stored`.
    mutating func prepare() throws(RequestError) {
        guard open == nil else { return }
        do throws(RequestError) {
            try usable { () throws(SystemError) in try directory.create() }
            // The lock before the file: another daemon may be writing it.
            let lock = try takeLock()
            let history = try read()
            open = Open(history: history, stored: history, lock: lock)
            (reportedProblem, damage) = (nil, nil)
        } catch {
            throw report(error)
        }
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
        let isRecorded = try record(of: app, in: catalog)?.firstLaunch == nil
        guard open?.history.hasRoom(for: app, in: catalog) == true else {
            throw full(
                "\(ReviewHistory.maximumApps) apps are recorded, and there is no room for \"\(app.shortened())\"")
        }
        try change(app, in: catalog) { history in
            _ = history.correct(app, in: catalog, now: now)
            _ = history.recordLaunch(of: app, in: catalog, at: now)
        }
        let firstLaunch = try record(of: app, in: catalog)?.firstLaunch ?? now
        return LaunchResult(app: app, firstLaunch: firstLaunch, isRecorded: isRecorded)
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
        let next = policy.judge(try record(of: app, in: catalog), completed: .max, now: now).eligibleAt
        return ReviewVerdict.grant(to: app, next: next ?? now, page: page)
    }

    /// Forgets an app.
    mutating func reset(
        _ app: String, in catalog: String = CatalogReference.defaultName
    ) throws(RequestError) -> ReviewResetResult {
        let wasKnown = try record(of: app, in: catalog) != nil
        try change(app, in: catalog) { _ = $0.forget(app, in: catalog) }
        return ReviewResetResult(app: app, wasKnown: wasKnown)
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
        if open.history[app, in: catalog] != record { open.changed.insert(Subject(app: app, catalog: catalog)) }
    }

    // MARK: The file

    private func full(_ problem: String) -> RequestError {
        RequestError(
            .notStored, "\(problem); remove some from \(directory.path(of: Self.name)) while promod is stopped.")
    }

    /// Writes the changes since the last time, if there are any.
    /// - Throws: `not-stored`; then they are undone.
    mutating func store() throws(RequestError) {
        defer { open?.changed = [] }
        guard let history = open?.history, history != open?.stored else { return }
        do {
            let durability = try directory.replace(Self.name, with: [history.fileBytes])
            open?.stored = history
            reportedProblem = nil
            guard let problem = durability.problem else { return }
            logger.log(
                .notDurable, "The review history was written, but a power cut may undo that: \(problem)",
                ["error": "storage"])
        } catch {
            if let stored = open?.stored { open?.history = stored }
            throw report(RequestError(.notStored, "The review history was not written, and nothing changed: \(error)."))
        }
    }

    private func takeLock() throws(RequestError) -> LockFile {
        do throws(LockFile.Failure) {
            return try LockFile.take(directory.path(of: Self.lockName))
        } catch {
            switch error {
            case .held(let held):
                let who = held.pid.map { "another promod (pid \($0))" } ?? "another promod"
                throw RequestError(.notStored, "The review history is in use by \(who), in \(directory.path).")
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
        let bytes = try usable { () throws(SystemError) in
            try FileReader.read(name, maximumBytes: Self.maximumBytes)
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
            _ = try usable { () throws(SystemError) in try directory.move(Self.name, to: Self.damagedName) }
            damage = error.reason
            throw refusal(because: error.reason)
        }
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
                + "looked at it: fix it and rename it to \(file), or remove it to begin with an empty history.")
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
