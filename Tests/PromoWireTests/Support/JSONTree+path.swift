import PromoWire

extension JSONTree {
    private var children: [(name: String, value: JSONTree)] {
        switch self {
        case .object(let members): members.map { ($0.name, $0.value) }
        case .array(let elements): elements.enumerated().map { ("\($0)", $1) }
        default: []
        }
    }

    /// The paths of all members and elements, by names and positions.
    var paths: [[String]] {
        children.flatMap { name, value in [[name]] + value.paths.map { [name] + $0 } }
    }

    /// The value at the end of a path.
    func value(at path: some Collection<String>) -> JSONTree? {
        guard let first = path.first else { return self }
        return children.first { $0.name == first }?.value.value(at: path.dropFirst())
    }

    /// The tree with another value at the end of a path; with nil, without that member.
    func replacing(_ path: some Collection<String>, with value: JSONTree?) -> JSONTree? {
        guard let first = path.first else { return value }
        func replaced(_ name: String, _ old: JSONTree) -> JSONTree? {
            name == first ? old.replacing(path.dropFirst(), with: value) : old
        }
        return switch self {
        case .object(let members):
            .object(
                members.compactMap { member in
                    replaced(member.name, member.value).map { Member(name: member.name, value: $0) }
                })
        case .array(let elements): .array(elements.enumerated().compactMap { replaced("\($0)", $1) })
        default: self
        }
    }

    /// The tree with a member added before and one after the others, in every object.
    func withUnknownMembers() -> JSONTree {
        switch self {
        case .object(let members):
            let known = members.map { Member(name: $0.name, value: $0.value.withUnknownMembers()) }
            let unknown = JSONTree.object([Member(name: "a", value: .array([.null, .number("1")]))])
            return .object(
                [Member(name: "more", value: unknown)] + known + [Member(name: "evenMore", value: .string("x"))])
        case .array(let elements): return .array(elements.map { $0.withUnknownMembers() })
        default: return self
        }
    }

    /// The tree as a parsed value.
    func value() throws -> JSONValue { try JSONDocument(json, maximumDepth: lineDepth).root }
}
