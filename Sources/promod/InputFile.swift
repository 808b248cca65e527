import PromoCore
import PromoDaemon
import PromoProcess
import PromoWire

/// Reads a file that an argument names.
enum InputFile {
    /// The maximum length of a catalog in bytes, which is the largest value of `catalog.max-bytes`.
    static let maximumCatalog = 64 * 1024 * 1024

    static func read(_ path: String, maximumBytes: Int) throws -> [UInt8] {
        do {
            if let bytes = try FileReader.read(path, maximumBytes: maximumBytes) { return bytes }
        } catch {
            throw CommandFailure(66, "\(error)")
        }
        throw CommandFailure(66, "there is no file \(path)")
    }

    /// The absolute path, because the daemon runs in another working directory.
    static func absolute(_ path: String) -> String { (try? String(resolving: path)) ?? path }
}

extension PrivateKey {
    /// The key in a file.
    static func read(_ path: String) throws -> PrivateKey {
        let pem = OutsideText(try InputFile.read(path, maximumBytes: 65_536))
        if let key = PrivateKey(pem: pem) { return key }
        throw CommandFailure(65, "\(path) is not a key that \"promod generate-key\" made")
    }
}
