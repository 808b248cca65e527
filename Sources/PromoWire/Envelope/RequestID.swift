/// A request's `id` as it stood on the line, to come back byte for byte.
package struct RequestID: Equatable, Sendable {
    /// The JSON of a string, a number or null.
    package let json: [UInt8]

    /// The id of a reply to a line that gave none.
    package static let null = RequestID(json: Array("null".utf8))

    private init(json: [UInt8]) {
        self.json = json
    }

    /// The id that a value is; nil where it is no string, number or null.
    package init?(_ value: JSONValue) {
        switch value.kind {
        case .string, .number, .null: json = Array(value.text)
        case .object, .array, .true, .false: return nil
        }
    }
}
