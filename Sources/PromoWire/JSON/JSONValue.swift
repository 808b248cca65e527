/// A value in a ``JSONDocument``.
package struct JSONValue: Sendable {
    /// The kinds of JSON values.
    package enum Kind: UInt8, Sendable {
        case object, array, string, number, `true`, `false`, null
    }

    fileprivate let document: JSONDocument
    fileprivate let index: Int

    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index
    }

    private var node: JSONDocument.Node { document.nodes[index] }

    /// What kind of value it is.
    package var kind: Kind { node.kind }

    /// The value's bytes as they stand in the text, the quotes of a string included.
    package var text: ArraySlice<UInt8> {
        let node = node
        let quote = node.kind == .string ? 1 : 0
        return document.bytes[Int(node.start) - quote..<Int(node.end) + quote]
    }

    /// The offset of the value's first byte in the text, from 0.
    package var offset: Int { text.startIndex }

    /// The string, unescaped; nil where the value is none.
    package var string: String? {
        kind == .string ? String(decoding: utf8, as: UTF8.self) : nil
    }

    /// Whether the value is a string of just these bytes, unescaped.
    package func isString(_ other: String) -> Bool {
        kind == .string && utf8.elementsEqual(other.utf8)
    }

    /// The integer, where the value is a number without fraction or exponent that fits; nil elsewhere.
    package var integer: Int? {
        kind == .number ? Int(String(decoding: text, as: UTF8.self)) : nil
    }

    /// The truth value; nil where the value is none.
    package var boolean: Bool? {
        switch kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The elements of an array in order; none where the value is no array.
    package var elements: JSONElements {
        let node = node
        return JSONElements(
            document: document, position: index + 1, end: node.kind == .array ? Int(node.next) : index + 1)
    }

    /// The members of an object in order; none where the value is no object.
    package var members: JSONMembers {
        let node = node
        return JSONMembers(
            document: document, position: index + 1, end: node.kind == .object ? Int(node.next) : index + 1)
    }

    /// The member of that name; nil where the object has none or the value is no object.
    package subscript(name: String) -> JSONValue? {
        members.first { $0.name.isString(name) }?.value
    }

    /// The string's bytes, unescaped.
    fileprivate var utf8: ArraySlice<UInt8> {
        let node = node
        let raw = document.bytes[Int(node.start)..<Int(node.end)]
        return node.isEscaped ? JSONParser.unescape(raw)[...] : raw
    }
}

/// The elements of a JSON array.
package struct JSONElements: Sequence, IteratorProtocol {
    fileprivate let document: JSONDocument
    fileprivate var position: Int
    fileprivate let end: Int

    package mutating func next() -> JSONValue? {
        guard position < end else { return nil }
        defer { position = Int(document.nodes[position].next) }
        return JSONValue(document: document, index: position)
    }
}

/// The members of a JSON object; a name is a string value of its own.
package struct JSONMembers: Sequence, IteratorProtocol {
    fileprivate let document: JSONDocument
    fileprivate var position: Int
    fileprivate let end: Int

    package mutating func next() -> (name: JSONValue, value: JSONValue)? {
        guard position < end else { return nil }
        defer { position = Int(document.nodes[position + 1].next) }
        return (JSONValue(document: document, index: position), JSONValue(document: document, index: position + 1))
    }
}
