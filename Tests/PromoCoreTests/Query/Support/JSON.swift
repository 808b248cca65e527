import PromoTestSupport
import PromoWire

/// A JSON value for comparison, read by the strict parser.
enum JSON: Equatable, Sendable {
    case object([String: JSON])
    case array([JSON])
    case string(String)
    case integer(Int)
    case boolean(Bool)
    case null
    /// A number that is not an integer.
    case number(String)

    init(_ bytes: [UInt8]) throws {
        self.init(try JSONDocument(bytes, maximumDepth: 8).root)
    }

    private init(_ value: JSONValue) {
        switch value.kind {
        case .object:
            self = .object(
                Dictionary(uniqueKeysWithValues: value.members.map { ($0.name.string ?? "", JSON($0.value)) }))
        case .array: self = .array(value.elements.map(JSON.init))
        case .string: self = .string(value.string ?? "")
        case .number: self = value.integer.map(JSON.integer) ?? .number(String(decoding: value.text, as: UTF8.self))
        case .true: self = .boolean(true)
        case .false: self = .boolean(false)
        case .null: self = .null
        }
    }

    /// The member with a name; nil if there is none.
    subscript(name: String) -> JSON? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The elements of an array.
    var elements: [JSON] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The ids of an array of apps.
    var ids: [String] {
        elements.compactMap { if case .string(let id) = $0["id"] { id } else { nil } }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension JSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }
}
