import PromoWire

extension JSONWriter {
    /// The contents of a file that is one line: an object with these members.
    static func line(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(members)
        writer.append("\n")
        return writer.bytes
    }

    mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
        self.name(name)
        object(members)
    }

    /// Writes a member that is an array of objects.
    mutating func objects<Element>(
        _ name: String, of elements: some Sequence<Element>, _ members: (inout JSONWriter, Element) -> Void
    ) {
        self.name(name)
        array { writer in
            for element in elements { writer.object { members(&$0, element) } }
        }
    }
}
