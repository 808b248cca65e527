import Synchronization

/// What files held when they were read last. TOMLKit never frees what it parsed, so the same bytes are not parsed again, and
/// only a file that changes costs memory at a reload.
final class ParsedFiles: Sendable {
    typealias Parse = @Sendable ([UInt8], String) throws(ConfigurationProblem) -> ConfigurationFile

    private struct Parsed {
        let bytes: [UInt8]
        let result: Result<ConfigurationFile, ConfigurationProblem>
    }

    private let parse: Parse
    /// By path, of which a loader has few.
    private let files = Mutex<[String: Parsed]>([:])

    init(
        parse: @escaping Parse = { bytes, path throws(ConfigurationProblem) in try ConfigurationFile(bytes, path: path)
        }
    ) {
        self.parse = parse
    }

    /// The file that bytes at a path are.
    func file(_ bytes: [UInt8], path: String) throws(ConfigurationProblem) -> ConfigurationFile {
        let result = files.withLock { files in
            if let last = files[path], last.bytes == bytes { return last.result }
            let result = Result { () throws(ConfigurationProblem) in try parse(bytes, path) }
            files[path] = Parsed(bytes: bytes, result: result)
            return result
        }
        return try result.get()
    }
}
