extension JSONTree {
    /// The tree with another value at the end of a path of names and positions; with nil, without that member.
    func replacing(_ path: some Collection<Substring>, with value: JSONTree?) -> JSONTree {
        guard let first = path.first else { return value ?? self }
        let isLast = path.count == 1
        switch self {
        case .object(let members):
            return .object(
                members.compactMap { member in
                    guard member.name == first else { return member }
                    if isLast { return value.map { Member(name: member.name, value: $0) } }
                    return Member(name: member.name, value: member.value.replacing(path.dropFirst(), with: value))
                })
        case .array(let elements):
            return .array(
                elements.enumerated().map { position, element in
                    first == "\(position)" ? element.replacing(path.dropFirst(), with: value) : element
                })
        case .string, .number, .boolean, .null: return self
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
        case .string, .number, .boolean, .null: return self
        }
    }
}
