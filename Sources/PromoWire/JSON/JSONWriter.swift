/// A value that is written as JSON.
package protocol JSONWritable {
    /// Writes the value.
    func write(to writer: inout JSONWriter)
}

/// Writes compact JSON into bytes, with the necessary commas.
package struct JSONWriter: Sendable {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8]

    /// Creates a writer that appends to bytes.
    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// Removes the first bytes, and keeps the buffer for later ones.
    package mutating func removeFirst(_ count: Int) {
        if count == bytes.count { bytes.removeAll(keepingCapacity: true) } else { bytes.removeFirst(count) }
    }

    /// Writes an object whose members the closure writes.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        body(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    /// Writes an array whose elements the closure writes.
    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "["))
        body(&self)
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes a member that is an object whose members the closure writes.
    package mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) {
        self.name(name)
        object(body)
    }

    /// Writes a member that is an array whose elements the closure writes.
    package mutating func array(_ name: String, _ body: (inout JSONWriter) -> Void) {
        self.name(name)
        array(body)
    }

    /// Writes a member's name, after which its value must follow.
    package mutating func name(_ name: String) {
        string(name.utf8.span)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a value.
    package mutating func value(_ value: some JSONWritable) {
        value.write(to: &self)
    }

    /// Writes a value that is already JSON.
    package mutating func value(json: ArraySlice<UInt8>) {
        separate()
        bytes.append(copying: json.span)
    }

    /// Writes a member with its value.
    package mutating func member(_ name: String, _ value: some JSONWritable) {
        self.name(name)
        value.write(to: &self)
    }

    /// Writes a number, a boolean or null.
    mutating func literal(_ text: String) {
        separate()
        append(text)
    }

    /// Writes a string of UTF-8.
    mutating func string(_ utf8: Span<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        for index in utf8.indices where Self.needsEscape(utf8[index]) {
            bytes.append(copying: utf8.extracting(start..<index))
            appendEscape(utf8[index])
            start = index + 1
        }
        bytes.append(copying: utf8.extracting(start...))
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes text unchanged, without a comma or quotes.
    package mutating func append(_ text: String) {
        bytes.append(copying: text.utf8.span)
    }

    /// Writes bytes unchanged.
    package mutating func append(bytes more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    /// Writes bytes unchanged.
    package mutating func append(bytes more: Span<UInt8>) {
        bytes.append(copying: more)
    }

    /// Writes a comma, except at the beginning of an object, an array or a line, after a name, and after another comma.
    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "\n"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
    }

    private mutating func appendEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            append("\\u00")
            bytes.append(Self.hexadecimal[Int(byte >> 4)])
            bytes.append(Self.hexadecimal[Int(byte & 15)])
        }
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)
}

extension JSONWriter {
    /// Writes `{"error":{…}}`, with which commands report errors to programs.
    package mutating func error(code: Int, reason: String, message: String) {
        object { $0.errorMember(code: code, reason: reason, message: message) }
    }

    /// Writes the member `error`.
    mutating func errorMember(code: Int, reason: String, message: String) {
        object("error") { writer in
            writer.member("code", code)
            writer.member("message", message)
            writer.object("data") { $0.member("reason", reason) }
        }
    }
}
