/// A value that is written as JSON.
package protocol JSONWritable {
    /// Writes the value.
    func write(to writer: inout JSONWriter)
}

extension RawRepresentable<String> where Self: JSONWritable {
    /// Writes the word.
    package func write(to writer: inout JSONWriter) { writer.value(rawValue) }
}

extension String: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.string(utf8) }
}

extension OutsideText: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.string(bytes) }
}

extension Int: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.value(json: String(self).utf8) }
}

extension Bool: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.value(json: (self ? "true" : "false").utf8) }
}

/// As RFC 3339.
extension Timestamp: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.string(rfc3339Bytes) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.value(json: "null".utf8) }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.array { writer in
            for element in self { element.write(to: &writer) }
        }
    }
}
