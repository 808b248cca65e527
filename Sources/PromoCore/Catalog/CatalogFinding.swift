package import PromoWire

/// A broken rule of a catalog, or a probable mistake.
package struct CatalogFinding: JSONWritable, Equatable, Sendable {
    /// The line and column, counted after the byte order mark if there is one.
    package let position: TextPosition
    /// A JSON Pointer (RFC 6901) in which long names are cut; empty for the whole text.
    package let pointer: String
    /// What is wrong and what to do, in whole sentences.
    package let message: String

    /// Creates a finding, by default about the whole text.
    package init(position: TextPosition = TextPosition(line: 1, column: 1), pointer: String = "", message: String) {
        (self.position, self.pointer, self.message) = (position, pointer, message)
    }

    /// The finding in the form of a compiler's message, without the name of the file.
    package var line: String { "\(position): \(text)" }

    /// The finding without its position.
    package var text: String { pointer.isEmpty ? message : "\(pointer): \(message)" }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("line", position.line)
            writer.member("column", position.column)
            writer.member("pointer", pointer)
            writer.member("message", message)
        }
    }
}

/// Collects at most ``maximumCount`` findings; each is short, because long names and values in it are cut.
struct CatalogFindings {
    /// The maximum number of findings; 5 MiB of `{},` would cause ten million.
    static let maximumCount = 1000

    private var entries: [(pointer: String, offset: Int, message: String)] = []

    var isEmpty: Bool { entries.isEmpty }

    /// Whether further findings are dropped, so that the search can stop.
    var isFull: Bool { entries.count == Self.maximumCount }

    mutating func add(_ message: String, at spot: CatalogSpot) {
        switch entries.count {
        case ..<(Self.maximumCount - 1): entries.append((spot.pointer, spot.offset, message))
        case Self.maximumCount - 1: entries.append(("", 0, "There are more findings, which are not listed."))
        default: break
        }
    }

    /// The findings with their lines and columns.
    func located(in document: JSONDocument) -> [CatalogFinding] {
        zip(entries, document.positions(of: entries.map(\.offset))).map { entry, position in
            CatalogFinding(position: position, pointer: entry.pointer, message: entry.message)
        }
    }
}

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
