import PromoWire

/// A configuration file's keys and values, each with its line.
struct ConfigurationFile: Sendable {
    typealias Entry = TOMLReader.Entry

    /// Far more than all keys with long comments need.
    static let maximumBytes = 1 << 16

    let entries: [Entry]

    /// Reads TOML in UTF-8, with or without a byte order mark.
    /// - Throws: ``ConfigurationProblem`` if the bytes are not such a text.
    init(_ bytes: [UInt8], path: String) throws(ConfigurationProblem) {
        let bytes = bytes.starts(with: "\u{FEFF}".utf8) ? Array(bytes.dropFirst(3)) : bytes
        _ = try Self.text(bytes, path)
        do {
            entries = try TOMLReader.entries(of: bytes)
        } catch {
            throw ConfigurationProblem(
                place: "\(path):\(error.line)", message: "column \(error.column): \(error.message)")
        }
    }

    /// Decodes UTF-8.
    /// - Throws: ``ConfigurationProblem`` with the first line that is not UTF-8.
    static func text(_ bytes: [UInt8], _ path: String) throws(ConfigurationProblem) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        // In UTF-8, a line feed is never part of a longer character, so each line can be checked separately.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
        throw ConfigurationProblem(
            place: line.map { "\(path):\($0 + 1)" } ?? path, message: "the text is not valid UTF-8")
    }
}
