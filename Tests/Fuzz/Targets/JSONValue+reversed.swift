import PromoWire

extension JSONValue {
    /// The value's JSON with the members of all objects in it in the opposite order.
    var reversed: [UInt8] {
        switch kind {
        case .object: Self.joined(members.map { $0.name.text + [0x3A] + $0.value.reversed }.reversed(), "{", "}")
        case .array: Self.joined(elements.map(\.reversed), "[", "]")
        default: Array(text)
        }
    }

    private static func joined(_ parts: [some Collection<UInt8>], _ start: String, _ end: String) -> [UInt8] {
        Array(start.utf8) + Array(parts.joined(separator: [0x2C])) + Array(end.utf8)
    }
}
