import Glibc
import Logging
import PromoCore
import PromoWire

/// The review history on disk. A change is on disk before it is answered, and a file that cannot be read is never overwritten.
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
    /// The history while it is open, with a lock against a daemon that has another cache but the same state directory.
    private var open: (history: ReviewHistory, lock: LockFile)?
    private var reportedProblem: String?
    /// Why this daemon set a file aside; nil if an earlier one did.
    private var damage: String?

    init(directory: PrivateDirectory, logger: Logger) {
        self.directory = directory
        self.logger = logger
    }

    /// The history; nil while it cannot be used.
    var history: ReviewHistory? { open?.history }

    /// Opens the history if it is not open; a problem that prevented it may have been fixed.
    /// - Throws: `not-stored`.
    @discardableResult
    mutating func prepare() throws(RequestError) -> ReviewHistory {
        if let open { return open.history }
        do throws(RequestError) {
            try usable { () throws(SystemError) in try directory.create() }
            // The lock before the file: another daemon may be writing it.
            let lock = try takeLock()
            let history = try read()
            open = (history, lock)
            (reportedProblem, damage) = (nil, nil)
            return history
        } catch {
            throw report(error)
        }
    }

    /// Records an app's first launch; it is on disk before this returns.
    mutating func launch(
        _ app: String, in catalog: String = CatalogReference.defaultName, now: Timestamp
    ) throws(RequestError) -> LaunchResult {
        var history = try prepare()
        guard history.hasRoom(for: app, in: catalog) else {
            throw full(
                "\(ReviewHistory.maximumApps) apps are recorded, and there is no room for \"\(app.shortened())\"")
        }
        let isCorrected = history.correct(app, in: catalog, now: now)
        let isRecorded = history.recordLaunch(of: app, in: catalog, at: now)
        if isRecorded || isCorrected { try replace(with: history) }
        return LaunchResult(
            app: app, firstLaunch: history[app, in: catalog]?.firstLaunch ?? now, isRecorded: isRecorded)
    }

    /// Grants a review request if the policy allows it; the grant is on disk before this returns.
    mutating func request(
        _ parameters: ReviewParameters, in catalog: String = CatalogReference.defaultName, policy: ReviewPolicy,
        page: String?, isOnline: () -> Bool, now: Timestamp
    ) throws(RequestError) -> ReviewResult {
        let app = parameters.app
        var history = try prepare()
        let verdict = policy.judge(parameters, history[app, in: catalog], page: page, isOnline: isOnline, now: now)
        guard verdict.isEligible else { return verdict.refusal(of: app) }
        history.recordRequest(of: app, in: catalog, at: now)
        try replace(with: history)
        let next = policy.judge(history[app, in: catalog], completed: .max, now: now).eligibleAt
        return ReviewVerdict.grant(to: app, next: next ?? now, page: page)
    }

    /// Forgets an app; that is on disk before this returns.
    mutating func reset(
        _ app: String, in catalog: String = CatalogReference.defaultName
    ) throws(RequestError) -> ReviewResetResult {
        var history = try prepare()
        let wasKnown = history.forget(app, in: catalog)
        if wasKnown { try replace(with: history) }
        return ReviewResetResult(app: app, wasKnown: wasKnown)
    }

    // MARK: The file

    private func full(_ problem: String) -> RequestError {
        RequestError(
            .notStored, "\(problem); remove some from \(directory.path(of: Self.name)) while promod is stopped.")
    }

    private mutating func replace(with history: ReviewHistory) throws(RequestError) {
        let bytes = history.fileBytes
        // A file that is too long to be read would mean that every request is refused after a restart.
        guard bytes.count <= Self.maximumBytes else {
            throw full("The review history has no room: it is at most \(Self.maximumBytes) bytes")
        }
        do {
            let durability = try directory.replace(Self.name, with: [bytes])
            open?.history = history
            reportedProblem = nil
            guard let problem = durability.problem else { return }
            logger.log(
                .notDurable, "The review history was written, but a power cut may undo that: \(problem)",
                ["error": "storage"])
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
