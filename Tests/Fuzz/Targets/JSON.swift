import FoundationEssentials
import PromoTestSupport
import PromoWire

extension FuzzTarget {
    /// Foundation reads whatever the strict reader accepts, and reads the same; what is written is read back.
    static let json = FuzzTarget(name: "json") { input in
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(input, maximumDepth: 16)
        } catch {
            try require(0...input.count ~= error.offset, "the error \(error) is outside the text")
            return
        }
        guard let tree = Tree(document.root) else { return }
        guard let other = try? JSONDecoder().decode(Tree.self, from: Data(input)) else {
            throw Violation(description: "Foundation does not read what the strict reader accepts")
        }
        try require(tree == other, "\(tree) was read, and \(other) by Foundation")
        let strings = tree.strings
        var writer = JSONWriter()
        writer.array { writer in for string in strings { writer.value(string) } }
        let again = try JSONDocument(writer.bytes, maximumDepth: 1).root.elements.map { $0.string ?? "" }
        try require(again.elementsEqual(strings, by: { $0.utf8.elementsEqual($1.utf8) }), "strings were not read back")
    }
}

/// A JSON value as both readers read it, without the values of numbers, which Foundation converts.
private indirect enum Tree: Equatable, Decodable {
    case null, number
    case boolean(Bool)
    case string(String)
    case array([Tree])
    case object([String: Tree])

    /// nil if two names of an object are the same to Swift and differ in their bytes, because Foundation drops one of them.
    init?(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .number: self = .number
        case .true: self = .boolean(true)
        case .false: self = .boolean(false)
        case .string: self = .string(value.string ?? "")
        case .array:
            var elements: [Tree] = []
            for element in value.elements {
                guard let tree = Tree(element) else { return nil }
                elements.append(tree)
            }
            self = .array(elements)
        case .object:
            var members: [String: Tree] = [:]
            for (name, member) in value.members {
                guard let tree = Tree(member), members.updateValue(tree, forKey: name.string ?? "") == nil else {
                    return nil
                }
            }
            self = .object(members)
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let boolean = try? container.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([Tree].self) {
            self = .array(array)
        } else if let object = try? container.decode([String: Tree].self) {
            self = .object(object)
        } else {
            self = .number
        }
    }

    /// Every string in it.
    var strings: [String] {
        switch self {
        case .null, .number, .boolean: []
        case .string(let string): [string]
        case .array(let elements): elements.flatMap(\.strings)
        case .object(let members): members.flatMap { [$0.key] + $0.value.strings }
        }
    }
}
