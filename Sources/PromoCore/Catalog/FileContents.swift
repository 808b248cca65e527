import PromoWire

/// A value that is stored in a file of its own.
package protocol FileContents: Sendable {
    /// The name of such a value in messages.
    static var noun: String { get }
    /// The contents of the file.
    var fileBytes: [UInt8] { get }
    /// Reads what ``fileBytes`` wrote; nil for anything else.
    init?(fileBytes: [UInt8])
}

extension RefreshSchedule.Record: FileContents {
    package static var noun: String { "schedule" }
}

extension JSONWriter {
    /// The contents of a file that is one line: an object with these members.
    static func line(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(members)
        writer.append("\n")
        return writer.bytes
    }

    /// Writes a member that is an array of objects.
    mutating func objects<Element>(
        _ name: String, of elements: some Sequence<Element>, _ members: (inout JSONWriter, Element) -> Void
    ) {
        array(name) { writer in
            for element in elements { writer.object { members(&$0, element) } }
        }
    }
}
