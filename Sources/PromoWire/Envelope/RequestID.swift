/// A request's `id`, which the reply repeats byte for byte.
package struct RequestID: Equatable, Sendable {
    /// The JSON of a string, a number or null.
    package let json: [UInt8]

    /// The id of a reply to a line without an id.
    package static let null = RequestID(json: Array("null".utf8))

    private init(json: [UInt8]) {
        self.json = json
    }

    /// The id in a value; nil if it is not a string, a number or null.
    package init?(_ value: JSONValue) {
        switch value.kind {
        case .string, .number, .null: json = Array(value.text)
        case .object, .array, .true, .false: return nil
        }
    }
}
