import PromoWire
import Testing

/// A result as JSON with all its members, and their types.
struct ResultSample: CustomTestStringConvertible, Sendable {
    /// The type of a member.
    enum Kind: Sendable {
        case text, word, words, time, integer, truth, object, array

        /// JSON of other types, except null.
        var wrong: [String] {
            let values = [#""x""#, "1", "1.5", "true", "[]", "{}"]
            return switch self {
            case .text: values.filter { $0 != #""x""# }
            case .word: values + [#""""#, #""Updated""#, #"["updated"]"#]
            case .words: values.filter { $0 != "[]" } + [#"["x"]"#, "[1]", "[null]", #"[["tap"]]"#, #"{"0":"tap"}"#]
            case .time:
                values + [
                    #""""#, #""2026-11-21""#, #""2026-02-30T00:00:00Z""#, #""2026-11-21T01:09:00+09:00""#,
                    #""2026-11-21T01:09:00.5Z""#,
                ]
            case .integer: values.filter { $0 != "1" } + [#""1""#, "1.0", "1e3", "9223372036854775808"]
            case .truth: values.filter { $0 != "true" } + ["0", #""true""#]
            case .object: values.filter { $0 != "{}" }
            case .array: values.filter { $0 != "[]" }
            }
        }
    }

    /// A member, by its path of names and positions.
    struct Member: Sendable {
        var path: String
        var kind: Kind
        var isOptional: Bool

        var steps: [Substring] { path.split(separator: ".") }
        /// The name in an error.
        var name: String { String(steps.last ?? "") }
    }

    let testDescription: String
    let tree: JSONTree
    let members: [Member]
    private let reader: @Sendable (JSONValue) throws -> any Equatable & Sendable

    /// Creates a sample with the types of its required and its optional members.
    init<Result: Equatable & Sendable>(
        _ name: String, _ text: String, required: KeyValuePairs<String, Kind>,
        optional: KeyValuePairs<String, Kind> = [:], read: @escaping @Sendable (JSONValue) throws -> Result
    ) throws {
        testDescription = name
        tree = JSONTree(try json(text))
        members =
            required.map { Member(path: $0.key, kind: $0.value, isOptional: false) }
            + optional.map { Member(path: $0.key, kind: $0.value, isOptional: true) }
        reader = read
    }

    /// Reads the result from the sample, or from another tree.
    func read(_ other: JSONTree? = nil) throws -> any Equatable & Sendable {
        try reader(try JSONDocument((other ?? tree).json, maximumDepth: lineDepth).root)
    }

    /// The member of a tree that the reader reports as wrong; nil if there is none.
    func malformed(_ tree: JSONTree) throws -> String? {
        try malformedMember { try read(tree) }
    }
}

extension Equatable {
    /// Whether another value is of the same type and equal.
    func isSame(as other: any Equatable) -> Bool { other as? Self == self }
}
