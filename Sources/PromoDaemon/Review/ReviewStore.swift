import Logging
import PromoCore
import PromoWire

/// The review history on disk, kept by this promod, which holds its lock, or only read while another promod keeps it. A file that cannot
/// be read is never overwritten.
///
/// A change is made in memory, and ``store()`` writes all changes since the last call. No reply that depends on a change may be sent
/// before that.
struct ReviewStore {
    /// The number of attempts to write while the file is being replaced.
    private static let maximumTries = 5
    /// How long a file that cannot be understood stays in place, in case it is still being written.
    private static let settlingTime: Milliseconds = 2000

    private struct Open {
        var ledger: ReviewLedger
        /// The file as it was when it was read or written; nil if there was none.
        var identity: FileIdentity?
        var lock: LockFile
    }

    /// The history that another promod keeps.
    private struct Copy {
        var history: ReviewHistory?
        /// The file and the one that was set aside, as they were when they were read.
        var identities: [FileIdentity?]
    }

    private let file: ReviewFile
    private let logger: Logger
    private let uptime: @Sendable () -> Milliseconds
    private var open: Open?
    private var copy: Copy?
    /// The history before the file became unusable. It is joined with the next usable one.
    private var known: ReviewHistory?
    /// The moves of records from names and former addresses to the catalogs' addresses.
    private var moves: [ReviewHistory.Move] = []
    /// Why the changes that waited for a write were lost; nil if none were.
    private var loss: RequestError?
    /// Why the history cannot be read or written; nil if it can.
    private(set) var problem: String?
    /// Why this daemon set the file aside; nil if an earlier one did.
    private var damage: String?
    /// A replacement that could not be understood, and since when it has been unchanged.
    private var suspect: (identity: FileIdentity, since: Milliseconds)?

    init(directory: PrivateDirectory, logger: Logger, uptime: @escaping @Sendable () -> Milliseconds) {
        file = ReviewFile(directory: directory)
        self.logger = logger
        self.uptime = uptime
    }

    /// The history without the changes that are not on disk yet; nil while it cannot be used.
    var history: ReviewHistory? { open?.ledger.stored ?? copy?.history }

    /// Whether the file lacks records, because it was replaced or removed.
    var isBehind: Bool { open?.ledger.isBehind == true }

    /// Whether the file has changed since it was read or written, or was not usable.
    var isToBeRead: Bool {
        guard let open else { return true }
        return open.identity != file.identity || !open.lock.isInPlace
    }

    /// Whether all changes of an app's record are on disk.
    func isStored(_ subject: ReviewHistory.Subject) -> Bool { open?.ledger.hasChange(of: subject) != true }

    /// Leaves the history to another promod.
    mutating func close() {
        (open, loss, problem) = (nil, nil, nil)
    }

    /// Carries the moves out, now and in each file that is read later.
    mutating func carry(out moves: [ReviewHistory.Move]) {
        self.moves = moves
        _ = known?.carry(out: moves)
        _ = copy?.history?.carry(out: moves)
        open?.ledger.carry(out: moves)
    }

    mutating func namesChanged() { open?.ledger.namesChanged() }

    // MARK: Reading

    /// Reads the history that another promod keeps, if its file has changed.
    /// - Returns: whether it has.
    mutating func follow() -> Bool {
        let found = [file.identity, file.damagedIdentity]
        guard found != copy?.identities else { return false }
        problem = nil
        copy = Copy(identities: found)
        do throws(ReviewFile.Problem) {
            let history = moved(try file.read()).history
            copy?.history = history
        } catch {
            problem =
                switch error {
                case .isSetAside:
                    "The review history was set aside as \(file.damagedPath), because it could not be read. No review is granted until "
                        + "somebody has looked at it."
                case .system(let error): "The review history cannot be used: \(error)."
                case .invalid(let reason): "The review history \(file.path) cannot be used: \(reason)."
                }
        }
        return true
    }

    /// Opens the history if it is not open, or reads it again if its file was replaced.
    /// - Throws: `not-stored`.
    mutating func prepare() throws(RequestError) {
        guard isToBeRead else { return }
        copy = nil
        do throws(RequestError) {
            try read()
            (problem, damage) = (nil, nil)
        } catch {
            // The history in memory must not overwrite a file that cannot be read.
            if open?.ledger.hasChanges == true { loss = error }
            if let open { known = open.ledger.stored }
            open = nil
            throw report(error)
        }
    }

    private mutating func read() throws(RequestError) {
        // The lock before the file, because another daemon may be writing it, or may have taken the lock in a new directory.
        let lock = if let lock = open?.lock, lock.isInPlace { lock } else { try takeLock() }
        // Before the file is read, so that a change during the reading is noticed later.
        let identity = file.identity
        let (history, isWritten) = moved(try readFile())
        do throws(ReviewLedger.NoRoom) {
            guard open != nil else {
                let ledger = try ReviewLedger(history, isWritten: isWritten, known: known)
                (open, known) = (Open(ledger: ledger, identity: identity, lock: lock), nil)
                return
            }
            open?.lock = lock
            open?.identity = identity
            guard try open?.ledger.merge(history, isWritten: isWritten) == false else { return }
            loss = RequestError(
                .notStored, "The review history was replaced meanwhile, and nothing changed; try again.")
        } catch {
            throw full(error)
        }
    }

    /// A file's history after the moves, and whether the file has the same records.
    private func moved(_ file: ReviewHistory) -> (history: ReviewHistory, isWritten: Bool) {
        var file = file
        let hasMoved = file.carry(out: moves)
        return (file, !hasMoved)
    }

    private mutating func readFile() throws(RequestError) -> ReviewHistory {
        // Before the file is read, so that a change during the reading is noticed later.
        let identity = file.identity
        do throws(ReviewFile.Problem) {
            return try file.read()
        } catch {
            switch error {
            case .isSetAside: throw refusal(because: damage ?? "it could not be read")
            case .system(let error): throw unusable(error)
            case .invalid(let reason):
                if let identity, open != nil || known != nil, !hasSettled(identity) {
                    throw RequestError(
                        .notStored,
                        "The review history \(file.path) was replaced by one that cannot be used, because \(reason). If it is still "
                            + "being written, try again.")
                }
                do throws(SystemError) { try file.setAside() } catch { throw unusable(error) }
                damage = reason
                throw refusal(because: reason)
            }
        }
    }

    /// Whether a file has been unchanged for the settling time.
    private mutating func hasSettled(_ identity: FileIdentity) -> Bool {
        if let suspect, suspect.identity == identity { return uptime() >= suspect.since + Self.settlingTime }
        suspect = (identity, uptime())
        return false
    }

    private func takeLock() throws(RequestError) -> LockFile {
        do throws(LockFile.Refusal) {
            return try file.takeLock()
        } catch {
            switch error {
            case .held:
                throw RequestError(
                    .notStored, "The review history is in use by another promod, in \(file.directory.path).")
            case .system(let error):
                throw unusable(error)
            }
        }
    }

    // MARK: Changes

    /// Changes the history in memory, or only reads it.
    /// - Parameter body: throws nothing but ``ReviewLedger/NoRoom``.
    /// - Throws: `not-stored` if the history cannot be used, or would be too long; then nothing changed.
    mutating func change<Result>(_ body: (inout ReviewLedger) throws -> Result) throws(RequestError) -> Result {
        try prepare()
        // Taken out of self, because a second reference would cause a copy of all records.
        guard var open = open.take() else { throw RequestError(.notStored, problem ?? "") }
        defer { self.open = open }
        do { return try body(&open.ledger) } catch { throw full(error as? ReviewLedger.NoRoom ?? .file) }
    }

    /// Reads the file again if it has changed, and writes it again if the last write failed, because the next change may be days away.
    mutating func check() {
        _ = try? prepare()
        if problem != nil, open?.ledger.hasChanges == false { _ = try? store(evenUnchanged: true) }
    }

    /// Writes the changes since the last time, if there are any.
    /// - Throws: `not-stored`; then they are undone.
    mutating func store(evenUnchanged: Bool = false) throws(RequestError) {
        // Undoes the changes that were not written.
        defer { open?.ledger.dropChanges() }
        for _ in 0..<Self.maximumTries where try storeUnlessReplaced(evenUnchanged) { return }
        throw report(RequestError(.notStored, "The review history is replaced again and again, and nothing changed."))
    }

    /// Writes the changes, unless the file is replaced during that.
    /// - Returns: whether nothing is left to write.
    private mutating func storeUnlessReplaced(_ evenUnchanged: Bool) throws(RequestError) -> Bool {
        if open != nil { try prepare() }
        if let loss = loss.take() { throw loss }
        guard let open, open.ledger.isToBeWritten || evenUnchanged else { return true }
        let history = open.ledger.history
        guard history.byteCount <= ReviewFile.maximumBytes || !isBehind else { throw report(full(.file)) }
        do {
            guard let written = try file.replace(open.identity, with: history) else { return false }
            self.open?.identity = written.identity
            self.open?.ledger.written()
            problem = nil
            guard let problem = written.durability.problem else { return true }
            logger.log(
                .notDurable, "The review history was written, but a power cut may undo that: \(problem)",
                ["error": "storage"])
            return true
        } catch {
            throw report(RequestError(.notStored, "The review history was not written, and nothing changed: \(error)."))
        }
    }

    // MARK: Errors

    private func full(_ error: ReviewLedger.NoRoom) -> RequestError {
        RequestError(.notStored, "\(error.problem); remove some from \(file.path) while promod is stopped.")
    }

    private func unusable(_ error: SystemError) -> RequestError {
        RequestError(.notStored, "The review history cannot be used, and nothing changed: \(error).")
    }

    private func refusal(because reason: String) -> RequestError {
        RequestError(
            .notStored,
            "The review history was set aside as \(file.damagedPath), because \(reason). No review is granted until somebody has "
                + "looked at it: fix it and rename it to \(file.path), or remove it to go on without it.")
    }

    /// Keeps a problem, and logs it unless it is the same as the last one.
    private mutating func report(_ error: RequestError) -> RequestError {
        if problem != error.message {
            problem = error.message
            logger.log(.reviewsNotStored, error.message, ["error": "\(error.reason.rawValue)"])
        }
        return error
    }
}
