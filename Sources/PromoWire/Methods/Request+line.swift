extension Request {
    /// The request as a line of the protocol, with LF.
    package var line: [UInt8] {
        Self.line(method: method) { writer in
            writer.object { write(parameters: &$0) }
        }
    }

    /// A line that calls any method, with LF.
    /// - Parameter params: writes the value of `params`.
    package static func line(method: String, params: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.member("id", 1)
            writer.member("method", method)
            writer.name("params")
            params(&writer)
        }
        writer.append("\n")
        return writer.bytes
    }
}
