import Glibc
import PromoCore
import PromoWire

/// The file of the review history, and the one in whose name it is set aside if it cannot be read.
struct ReviewFile {
    /// Why there is no history to use.
    enum Problem: Error {
        /// No person has looked yet at the file that was set aside.
        case isSetAside
        case system(SystemError)
        /// The file is no valid history, for a reason in which "it" is the file.
        case invalid(reason: String)
    }

    static let name = "reviews.json"
    /// While a file of this name exists, requests are refused, after a restart too.
    private static let damagedName = "reviews.json.damaged"
    /// Not the name of the cache's lock, because one directory may serve as both.
    private static let lockName = "reviews.lock"
    /// The longest file: the addresses of catalogs may take the place of names in one that is full.
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

    /// Takes the lock, against a daemon that has another cache but the same state directory; makes the directory if it is missing.
    func takeLock() throws(LockFile.Refusal) -> LockFile {
        do throws(SystemError) { try directory.create() } catch { throw .system(error) }
        return try LockFile.take(directory.path(of: Self.lockName))
    }

    /// Replaces the file, unless it is not the expected one any more; see ``PrivateDirectory``.
    func replace(
        _ expected: FileIdentity?, with history: ReviewHistory
    ) throws(SystemError) -> (durability: PrivateDirectory.Durability, identity: FileIdentity?)? {
        try directory.replace(Self.name, expected, with: [history.fileBytes])
    }
}
