package import PromoWire

/// The parts of a response's head that promod uses.
package struct FetchedHead: Equatable, Sendable {
    /// A field whose text is passed on, by its name in lower case.
    package enum Field: String, CaseIterable, Sendable {
        case age, date, etag, location
        case lastModified = "last-modified"
        case retryAfter = "retry-after"
        /// The encodings, if one of them does not exist. No field of a response has a colon in its name.
        case unknownEncoding = ":encoding"
    }

    /// The status, from 100 to 999.
    package var status: Int
    /// The words after the status.
    package var phrase: OutsideText
    /// Whether the body comes compressed; the parent is not told.
    package var isCompressed = false
    private var fields: [Field: OutsideText] = [:]

    /// A head without fields.
    package init(status: Int, phrase: OutsideText = "") {
        self.status = status
        self.phrase = phrase
    }

    /// The text of a field; nil if there is none. `Location` is in ASCII.
    package subscript(field: Field) -> OutsideText? {
        get { fields[field] }
        set { fields[field] = newValue }
    }

    /// How long a cache has had the response, in seconds, at most 2³¹ (RFC 9111 §1.2.2); nil if that is not known.
    package var age: Int? {
        guard let text = self[.age], !text.isEmpty, text.bytes.allSatisfy(\.isDigit) else { return nil }
        return min(text.ascii(upTo: 18).flatMap(Int.init) ?? .max, 1 << 31)
    }

    /// Writes the head as a JSON object.
    func write(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("status", status)
            writer.member("phrase", phrase)
            for field in Field.allCases { writer.member(field.rawValue, self[field]) }
        }
    }

    /// Reads what ``write(into:)`` wrote; nil for anything else.
    init?(_ value: JSONValue) {
        guard let status = value["status"]?.integer, 100...999 ~= status else { return nil }
        self.init(status: status, phrase: value["phrase"]?.outsideText ?? "")
        for field in Field.allCases { self[field] = value[field.rawValue]?.outsideText }
    }
}
