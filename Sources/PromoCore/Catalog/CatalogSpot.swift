import PromoWire

/// A value of a catalog and its place: its JSON Pointer (RFC 6901) and the offset of its first byte.
struct CatalogSpot {
    /// The maximum length of a name in a pointer, because a name of a megabyte may have thousands of findings below it.
    static let maximumToken = 64

    let value: JSONValue
    let pointer: String
    let offset: Int

    private init(_ value: JSONValue, _ pointer: String, offset: Int) {
        self.value = value
        self.pointer = pointer
        self.offset = offset
    }

    init(root: JSONValue) {
        self.init(root, "", offset: root.offset)
    }

    /// The value of a member; nil if the value is not an object or lacks the member.
    func member(_ name: String) -> CatalogSpot? {
        value[name].map { CatalogSpot($0, "\(pointer)/\(name)", offset: $0.offset) }
    }

    /// The spot of a missing member: the member's pointer, with the value and the offset of the object.
    func missing(_ name: String) -> CatalogSpot {
        CatalogSpot(value, "\(pointer)/\(name)", offset: offset)
    }

    /// The elements of an array in order; none if the value is not an array.
    var elements: some Sequence<CatalogSpot> {
        value.elements.enumerated().lazy.map { index, element in
            CatalogSpot(element, "\(pointer)/\(index)", offset: element.offset)
        }
    }

    /// The members of an object in order; none if the value is not an object. A name has the pointer of its value.
    var members: some Sequence<(name: CatalogSpot, value: CatalogSpot)> {
        value.members.lazy.map { name, value in
            let pointer = "\(pointer)/\(Self.token(name.outsideText))"
            return (
                CatalogSpot(name, pointer, offset: name.offset), CatalogSpot(value, pointer, offset: value.offset)
            )
        }
    }

    /// A member's name, or its beginning if it is long, as a reference token.
    private static func token(_ name: OutsideText?) -> String {
        // By Unicode scalar, because a slash with a combining mark after it is one character, which is not equal to a slash.
        (name?.elided(to: maximumToken) ?? "").unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "~": result += "~0"
            case "/": result += "~1"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
