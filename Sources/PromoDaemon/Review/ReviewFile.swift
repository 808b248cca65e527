import Glibc
import PromoCore
import PromoWire

/// The file of the review history, and the name under which it is set aside if it cannot be understood.
struct ReviewFile {
    /// Why there is no usable history.
    enum Problem: Error {
        /// The file was set aside, and no person has dealt with it yet.
        case isSetAside
        case system(SystemError)
        /// The file is not a valid history; the reason is a clause with "it" for the file.
        case invalid(reason: String)
    }

    static let name = "reviews.json"
    /// While this file exists, requests are refused, even after a restart.
    private static let damagedName = "reviews.json.damaged"
    /// Not the name of the cache's lock, because one directory may serve as both.
    private static let lockName = "reviews.lock"
    /// The size of the longest file: in a full one, addresses of catalogs may replace names.
    static let maximumBytes = ReviewLedger.maximumBytes + 2 * NamedCatalog.maximumCount * HTTPSURL.maximumLength

    let directory: PrivateDirectory

    var path: String { directory.path(of: Self.name) }
    var damagedPath: String { directory.path(of: Self.damagedName) }

    var identity: FileIdentity? { FileIdentity(of: path) }
    var damagedIdentity: FileIdentity? { FileIdentity(of: damagedPath) }

    /// Reads the history; an empty one if there is no file.
    func read() throws(Problem) -> ReviewHistory {
        let (isSetAside, bytes): (Bool, [UInt8]?)
        do throws(SystemError) {
            isSetAside = try FileReader.exists(damagedPath)
            bytes = try isSetAside ? nil : FileReader.read(path, maximumBytes: Self.maximumBytes)
            // A dangling symbolic link is not an empty history: its target may come back.
            if !isSetAside, bytes == nil, try FileReader.exists(path) {
                throw SystemError("read", path, number: ENOENT)
            }
        } catch {
            throw .system(error)
        }
        if isSetAside { throw .isSetAside }
        guard let bytes else { return ReviewHistory() }
        do throws(ReviewHistory.Unreadable) {
            return try ReviewHistory(fileBytes: bytes)
        } catch {
            throw .invalid(reason: error.reason)
        }
    }

    func setAside() throws(SystemError) {
        try directory.move(Self.name, to: Self.damagedName)
    }

    /// Takes the lock, which excludes a daemon with another cache and the same state directory. Makes the directory if it is missing.
    func takeLock() throws(LockFile.Refusal) -> LockFile {
        try LockFile.take(Self.lockName, in: directory)
    }

    /// Replaces the file, unless it is no longer the expected one; see ``PrivateDirectory``.
    func replace(
        _ expected: FileIdentity?, with history: ReviewHistory
    ) throws(SystemError) -> (durability: PrivateDirectory.Durability, identity: FileIdentity?)? {
        try directory.replace(Self.name, expected, with: [history.fileBytes])
    }
}
