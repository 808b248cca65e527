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

    /// The kind of the value.
    package var kind: Kind { node.kind }

    /// The value's bytes in the text, including the quotes of a string.
    package var text: ArraySlice<UInt8> {
        let node = node
        let quote = node.kind == .string ? 1 : 0
        return document.bytes[Int(node.start) - quote..<Int(node.end) + quote]
    }

    /// The offset of the value's first byte in the text, from 0.
    package var offset: Int { text.startIndex }

    /// The string, unescaped; nil if the value is not a string.
    package var outsideText: OutsideText? {
        kind == .string ? OutsideText(utf8) : nil
    }

    /// The string, if it has at most `count` bytes of printable ASCII; a longer one is not unescaped.
    package func ascii(upTo count: Int) -> String? {
        kind == .string && node.end - node.start <= 6 * count ? OutsideText(utf8).ascii(upTo: count) : nil
    }

    /// The time; nil if the value is not a string with a time.
    package var time: Timestamp? { ascii(upTo: Timestamp.length).flatMap(Timestamp.init(rfc3339:)) }

    /// One of the words of an enumeration; nil for any other value.
    package func word<Word: RawRepresentable<String>>(_ type: Word.Type = Word.self) -> Word? {
        ascii(upTo: 64).flatMap(Word.init)
    }

    /// Whether the value is a string that has exactly these bytes when it is unescaped.
    package func isString(_ other: String) -> Bool {
        let node = node
        guard node.mayBeString(of: other.utf8.count) else { return false }
        if node.isEscaped { return utf8.elementsEqual(other.utf8) }
        let bytes = document.bytes
        return bytes.span.extracting(Int(node.start)..<Int(node.end)).isEqual(to: other.utf8.span)
    }

    /// The integer, which may be written as `3.0`; nil if the value is not a number, is no integer, or does not fit.
    package var integer: Int? {
        // No integer has more digits.
        guard kind == .number, text.count <= 32 else { return nil }
        let digits = String(decoding: text, as: UTF8.self)
        return Int(digits) ?? Double(digits).flatMap { $0.magnitude < 0x1p53 ? Int(exactly: $0) : nil }
    }

    /// The boolean; nil if the value is not one.
    package var boolean: Bool? {
        switch kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The elements of an array in order; none if the value is not an array.
    package var elements: JSONElements {
        let node = node
        return JSONElements(
            document: document, position: index + 1, end: node.kind == .array ? Int(node.next) : index + 1)
    }

    /// The members of an object in order; none if the value is not an object.
    package var members: JSONMembers {
        let node = node
        return JSONMembers(
            document: document, position: index + 1, end: node.kind == .object ? Int(node.next) : index + 1)
    }

    /// The value of the member with a name; nil if there is none or the value is not an object.
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

extension JSONDocument.Node {
    /// Whether it may be a string of `length` bytes when it is unescaped. An escape has at most six bytes, for at least one, so most
    /// strings of a hostile text are recognised as other than a name without being unescaped.
    fileprivate func mayBeString(of length: Int) -> Bool {
        let written = Int(end - start)
        return kind == .string && (isEscaped ? length...(6 * length) ~= written : written == length)
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

/// The members of a JSON object. Each name is a string value.
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
