import PromoTestSupport
import PromoWire

/// A JSON value as a tree, for comparison.
indirect enum JSONTree: Equatable, Sendable {
    case object([Member])
    case array([JSONTree])
    case string(String)
    case number(String)
    case boolean(Bool)
    case null

    struct Member: Equatable, Sendable {
        var name: String
        var value: JSONTree
    }

    /// Creates the tree of a value.
    init(_ value: JSONValue) {
        switch value.kind {
        case .object:
            self = .object(value.members.map { Member(name: $0.name.string ?? "", value: JSONTree($0.value)) })
        case .array: self = .array(value.elements.map(JSONTree.init))
        case .string: self = .string(value.string ?? "")
        case .number: self = .number(String(decoding: value.text, as: UTF8.self))
        case .true: self = .boolean(true)
        case .false: self = .boolean(false)
        case .null: self = .null
        }
    }

    /// Writes the tree with the writer under test.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .object(let members):
            writer.object { writer in
                for member in members {
                    writer.value(member.name)
                    writer.append(":")
                    member.value.write(to: &writer)
                }
            }
        case .array(let elements):
            writer.array { writer in
                for element in elements { element.write(to: &writer) }
            }
        case .string(let string): writer.value(string)
        case .number(let digits): writer.value(json: Array(digits.utf8)[...])
        case .boolean(let boolean): writer.value(boolean)
        case .null: writer.value(nil as String?)
        }
    }

    /// The tree as compact JSON.
    var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
