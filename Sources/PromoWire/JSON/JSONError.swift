/// Why bytes are not a strict JSON text (RFC 8259), and where.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of errors.
    package enum Problem: Equatable, Sendable {
        case empty
        case byteOrderMark
        case invalidUTF8
        case unexpected(expected: String)
        case endOfText
        case trailingBytes
        case trailingComma
        case controlCharacter
        case badEscape
        case loneSurrogate
        case badNumber
        case duplicateMember(String)
        case tooDeep(limit: Int)
        case tooLarge
    }

    /// The kind of the error.
    package let problem: Problem
    /// The offset of the first wrong byte, from 0.
    package let offset: Int

    /// The same error in a text that comes after `count` other bytes.
    package func moved(by count: Int) -> JSONError {
        JSONError(problem: problem, offset: offset + count)
    }

    package var description: String {
        "\(problem.sentence) at byte \(offset)"
    }
}

extension JSONError.Problem {
    fileprivate var sentence: String {
        switch self {
        case .empty: "no JSON value"
        case .byteOrderMark: "a byte order mark, which JSON does not allow,"
        case .invalidUTF8: "invalid UTF-8"
        case .unexpected(let expected): "expected \(expected)"
        case .endOfText: "the text ends too early,"
        case .trailingBytes: "something follows the JSON value"
        case .trailingComma: "a comma with nothing after it"
        case .controlCharacter: "a control character in a string, which has to be escaped,"
        case .badEscape: "an escape that JSON does not know"
        case .loneSurrogate: "half of a surrogate pair"
        case .badNumber: "a malformed number"
        case .duplicateMember(let name): "the member \"\(name)\" for the second time"
        case .tooDeep(let limit): "nesting deeper than \(limit) levels"
        case .tooLarge: "a text over 2 GiB"
        }
    }
}
