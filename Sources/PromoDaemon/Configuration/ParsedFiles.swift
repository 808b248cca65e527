import Synchronization

/// The files as they were last parsed. TOMLKit never frees what it has parsed, so unchanged bytes are not parsed again; at a
/// reload, only a file that has changed takes more memory.
final class ParsedFiles: Sendable {
    typealias Parse = @Sendable ([UInt8], String) throws(ConfigurationProblem) -> ConfigurationFile

    private struct Parsed {
        let bytes: [UInt8]
        let result: Result<ConfigurationFile, ConfigurationProblem>
    }

    private let parse: Parse
    /// By path; a loader has only a few paths.
    private let files = Mutex<[String: Parsed]>([:])

    init(
        parse: @escaping Parse = { bytes, path throws(ConfigurationProblem) in try ConfigurationFile(bytes, path: path)
        }
    ) {
        self.parse = parse
    }

    /// Returns the file that some bytes are, and parses them if they have changed.
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
