import PromoWire
import Testing

/// The maximum depth of a line, for all tests that are not about depth.
let lineDepth = 32

/// The value of a text, which must be strict JSON.
func json(
    _ text: String, maximumDepth: Int = lineDepth, sourceLocation: SourceLocation = #_sourceLocation
) throws -> JSONValue {
    let error = jsonError(Array(text.utf8), maximumDepth: maximumDepth)
    try #require(error == nil, "\(text)", sourceLocation: sourceLocation)
    return try JSONDocument(Array(text.utf8), maximumDepth: maximumDepth).root
}

/// Why bytes are not strict JSON; nil if they are.
func jsonError(_ bytes: [UInt8], maximumDepth: Int = lineDepth) -> JSONError? {
    do {
        _ = try JSONDocument(bytes, maximumDepth: maximumDepth)
        return nil
    } catch {
        return error
    }
}

/// Why a text is not strict JSON; nil if it is.
func jsonError(_ text: String, maximumDepth: Int = lineDepth) -> JSONError? {
    jsonError(Array(text.utf8), maximumDepth: maximumDepth)
}

/// The text that a closure writes.
func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}
