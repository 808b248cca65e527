import PromoCore
import PromoWire

/// Reads the review history that another promod writes, without its lock, and changes nothing.
struct ReviewReader {
    private let directory: PrivateDirectory
    /// The file, and the one that was set aside, as they were when they were read; nil before that.
    private var seen: [FileIdentity?]?
    /// nil while it cannot be used.
    private(set) var history: ReviewHistory?

    init(directory: PrivateDirectory) {
        self.directory = directory
    }

    /// Reads the history again if it was replaced. Returns whether it was.
    mutating func follow() -> Bool {
        let (path, damaged) = (directory.path(of: ReviewStore.name), directory.path(of: ReviewStore.damagedName))
        let found = [path, damaged].map(FileIdentity.init(of:))
        guard found != seen else { return false }
        seen = found
        history = found[1] == nil ? try? Self.read(path) : nil
        return true
    }

    private static func read(_ path: String) throws -> ReviewHistory? {
        guard let bytes = try FileReader.read(path, maximumBytes: ReviewStore.maximumBytes) else {
            // A dangling symbolic link is not an empty history.
            return try FileReader.exists(path) ? nil : ReviewHistory()
        }
        return try ReviewHistory(fileBytes: bytes)
    }
}
