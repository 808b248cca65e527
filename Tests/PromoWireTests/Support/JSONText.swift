import PromoWire
import Testing

/// How deep the texts of these tests may be nested where they are not about depth: what a line may.
let lineDepth = 32

/// The value of a text that has to be strict JSON.
func json(
    _ text: String, maximumDepth: Int = lineDepth, sourceLocation: SourceLocation = #_sourceLocation
) throws -> JSONValue {
    let error = jsonError(Array(text.utf8), maximumDepth: maximumDepth)
    try #require(error == nil, "\(text)", sourceLocation: sourceLocation)
    return try JSONDocument(Array(text.utf8), maximumDepth: maximumDepth).root
}

/// Why bytes are no strict JSON text; nil where they are one.
func jsonError(_ bytes: [UInt8], maximumDepth: Int = lineDepth) -> JSONError? {
    do {
        _ = try JSONDocument(bytes, maximumDepth: maximumDepth)
        return nil
    } catch {
        return error
    }
}

/// Why a text is no strict JSON; nil where it is.
func jsonError(_ text: String, maximumDepth: Int = lineDepth) -> JSONError? {
    jsonError(Array(text.utf8), maximumDepth: maximumDepth)
}

/// What a closure writes, as text.
func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}
