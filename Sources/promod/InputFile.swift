import ArgumentParser
import PromoCore
import PromoDaemon
import PromoProcess
import PromoWire

/// Reads a file that an argument names; if it cannot be read, prints why and throws the exit code.
enum InputFile {
    static func read(_ path: String, maximumBytes: Int) throws -> [UInt8] {
        do {
            if let bytes = try FileReader.read(path, maximumBytes: maximumBytes) { return bytes }
            StandardError.write("promod: there is no file \(path)")
        } catch {
            StandardError.write("promod: \(error)")
        }
        throw ArgumentParser.ExitCode(66)
    }

    /// Makes a path absolute, because the daemon runs in another working directory.
    static func absolute(_ path: String) -> String { (try? String(resolving: path)) ?? path }
}

extension PrivateKey {
    /// The key in a file; if it has none, prints that and throws the exit code.
    static func read(_ path: String) throws -> PrivateKey {
        let pem = OutsideText(try InputFile.read(path, maximumBytes: 65_536))
        if let key = PrivateKey(pem: pem) { return key }
        StandardError.write("promod: \(path) is not a key that \"promod generate-key\" made")
        throw ArgumentParser.ExitCode(65)
    }
}
