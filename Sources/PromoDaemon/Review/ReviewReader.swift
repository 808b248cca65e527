import Glibc
import PromoCore
import PromoWire

/// Reads the review history that another promod writes, without its lock, and changes nothing.
struct ReviewReader {
    private let directory: PrivateDirectory
    /// The file, and the one that was set aside, as they were when they were read; nil before that.
    private var seen: [FileIdentity?]?
    /// nil while it cannot be used.
    private(set) var history: ReviewHistory?
    /// Where the records belong that the file has under the names of catalogs.
    private var moves: [ReviewHistory.Move] = []
    /// Why it cannot be used; nil if it can.
    private(set) var problem: String?

    init(directory: PrivateDirectory) {
        self.directory = directory
    }

    /// Moves what is recorded under names, now and whenever the file has such records, to the catalogs' addresses.
    mutating func carry(out moves: [ReviewHistory.Move]) {
        self.moves = moves
        _ = history?.carry(out: moves)
    }

    /// Reads the history again if it was replaced. Returns whether it was.
    mutating func follow() -> Bool {
        let (path, damaged) = (directory.path(of: ReviewStore.name), directory.path(of: ReviewStore.damagedName))
        let found = [path, damaged].map(FileIdentity.init(of:))
        guard found != seen else { return false }
        seen = found
        history = nil
        problem = nil
        guard found[1] == nil else {
            problem =
                "The review history was set aside as \(damaged), because it could not be read. No review is granted until "
                + "somebody has looked at it."
            return true
        }
        do {
            history = try Self.read(path)
            _ = history?.carry(out: moves)
        } catch let error as ReviewHistory.Unreadable {
            problem = "The review history \(path) cannot be used: \(error.reason)."
        } catch {
            problem = "The review history cannot be used: \(error)."
        }
        return true
    }

    private static func read(_ path: String) throws -> ReviewHistory {
        guard let bytes = try FileReader.read(path, maximumBytes: ReviewStore.maximumFileBytes) else {
            // A dangling symbolic link is not an empty history.
            guard try !FileReader.exists(path) else { throw SystemError("read", path, number: ENOENT) }
            return ReviewHistory()
        }
        return try ReviewHistory(fileBytes: bytes)
    }
}
