/// Writes HTML, and escapes text.
struct HTMLWriter {
    private(set) var bytes: [UInt8] = []

    /// Writes markup of promod's own.
    mutating func markup(_ markup: String) {
        bytes.append(contentsOf: markup.utf8)
    }

    /// Writes text of a catalog, from which promod has taken the controls, into an element or an attribute in double quotes.
    mutating func text(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): markup("&amp;")
            case UInt8(ascii: "<"): markup("&lt;")
            case UInt8(ascii: ">"): markup("&gt;")
            case UInt8(ascii: "\""): markup("&quot;")
            case UInt8(ascii: "'"): markup("&#39;")
            default: bytes.append(byte)
            }
        }
    }

    /// Writes text between markup.
    mutating func element(_ start: String, _ text: String, _ end: String) {
        markup(start)
        self.text(text)
        markup(end)
    }

    /// Writes bytes that need no escapes, such as base64.
    mutating func bytes(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }
}
