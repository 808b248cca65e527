import PromoCore
import PromoDaemon
import PromoProcess
import PromoWire

/// Reads a file that an argument names.
enum InputFile {
    /// The maximum length of a catalog in bytes, which is the largest value of `catalog.max-bytes`.
    static let maximumCatalog = 64 * 1024 * 1024

    /// The absolute path, because the daemon runs in another working directory.
    static func absolute(_ path: String) -> String { (try? String(resolving: path)) ?? path }
}
