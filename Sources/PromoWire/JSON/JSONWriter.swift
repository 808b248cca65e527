/// Writes compact JSON into bytes; it places the commas, and the caller keeps objects and arrays closed.
package struct JSONWriter: Sendable {
    /// Rows that stand at a place in what was written, without having been copied there.
    struct Insertion: Sendable {
        /// How many of the bytes come before them.
        let offset: Int
        let rows: SharedRows
    }

    /// A place in what was written, to go back to.
    package struct Mark {
        fileprivate let offset: Int
    }

    /// Fewer bytes than these are copied; it is cheaper than to take them apart again.
    private static let copied = 4096

    /// What was written so far, but for the rows that are shared.
    package private(set) var bytes: [UInt8]
    private(set) var insertions: [Insertion] = []
    private var insertedCount = 0

    /// A writer that goes on behind the bytes given.
    package init(_ bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// Whether no rows are shared.
    var isWhole: Bool { insertions.isEmpty }

    /// How many bytes were written, shared rows included.
    package var count: Int { bytes.count + insertedCount }

    /// Everything that was written, shared rows included.
    package var text: [UInt8] {
        var writer = self
        var queue = OutputQueue()
        queue.append(&writer)
        var text: [UInt8] = []
        queue.drain { bytes in
            text += bytes
            return bytes.count
        }
        return text
    }

    /// Where the next byte will stand.
    package var mark: Mark { Mark(offset: bytes.count) }

    /// Takes back what was written since a mark, which must lie between two values.
    package mutating func remove(since mark: Mark) {
        bytes.removeSubrange(mark.offset...)
        while let last = insertions.last, last.offset > mark.offset {
            insertedCount -= last.rows.count
            insertions.removeLast()
        }
    }

    /// Takes out the first bytes, and keeps the buffer for those to come.
    mutating func removeFirst(_ count: Int) {
        if count == bytes.count { bytes.removeAll(keepingCapacity: true) } else { bytes.removeFirst(count) }
    }

    /// Forgets what was written, and keeps no large buffer.
    mutating func clear() {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.copied)
        insertions = []
        insertedCount = 0
    }

    /// Writes an array of rows that were written before; many of them are referred to and not copied.
    package mutating func array(of rows: SharedRows) {
        array { writer in
            if rows.count <= Self.copied {
                var cursor = SharedRows.Cursor()
                rows.hand(over: &cursor) { slice in
                    writer.bytes.append(contentsOf: slice)
                    return slice.count
                }
            } else {
                writer.insertions.append(Insertion(offset: writer.bytes.count, rows: rows))
                writer.insertedCount += rows.count
            }
        }
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

    /// Writes a member's name, which must need no escapes; its value has to follow.
    package mutating func name(_ name: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a string, or null.
    package mutating func value(_ string: String?) {
        separate()
        guard let string else { return append("null") }
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 { appendEscaped(byte) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes an integer.
    package mutating func value(_ integer: Int) {
        separate()
        bytes.append(contentsOf: String(integer).utf8)
    }

    /// Writes a truth value, or null.
    package mutating func value(_ boolean: Bool?) {
        separate()
        append(boolean.map { $0 ? "true" : "false" } ?? "null")
    }

    /// Writes a time as RFC 3339, or null.
    package mutating func value(_ time: Timestamp?) {
        separate()
        guard let time else { return append("null") }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: time.rfc3339Bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes bytes that are a JSON value already.
    package mutating func value(json: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Writes a member whose value is a string or null.
    package mutating func member(_ name: String, _ string: String?) {
        self.name(name)
        value(string)
    }

    /// Writes a member whose value is an integer.
    package mutating func member(_ name: String, _ integer: Int) {
        self.name(name)
        value(integer)
    }

    /// Writes a member whose value is a truth value or null.
    package mutating func member(_ name: String, _ boolean: Bool?) {
        self.name(name)
        value(boolean)
    }

    /// Writes a member whose value is a time or null.
    package mutating func member(_ name: String, _ time: Timestamp?) {
        self.name(name)
        value(time)
    }

    /// Writes a member whose value is an array of strings.
    package mutating func member(_ name: String, _ strings: [String]) {
        self.name(name)
        array { writer in
            for string in strings { writer.value(string) }
        }
    }

    /// Writes text as it is, with no comma and no quotes.
    package mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes bytes as they are.
    mutating func append(bytes more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    /// Writes bytes as they are.
    mutating func append(bytes more: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: more)
    }

    /// A comma is due unless something was just opened or named, a comma stands there, or a line begins.
    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "\n"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0..<0x20, 0x7F:
            append("\\u00")
            bytes.append(Self.hexadecimal[Int(byte >> 4)])
            bytes.append(Self.hexadecimal[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)
}

extension JSONWriter {
    /// Writes `{"error":{…}}`, the way in which commands tell programs why they did not do what was asked.
    package mutating func error(code: Int, reason: String, message: String) {
        object { writer in
            writer.name("error")
            writer.object { writer in
                writer.member("code", code)
                writer.member("message", message)
                writer.name("data")
                writer.object { $0.member("reason", reason) }
            }
        }
    }
}
