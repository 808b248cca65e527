import PromoWire

/// A value that is stored in a file of its own.
package protocol FileContents: Sendable {
    /// The name of such a value in messages.
    static var noun: String { get }
    /// The number of the file's format; nil if it has none, because unknown members are ignored.
    static var format: Int? { get }
    /// The contents of the file.
    var fileBytes: [UInt8] { get }
    /// Reads what ``fileBytes`` wrote; nil for anything else.
    init?(fileBytes: [UInt8])
}

/// The number of a file's format, with which each file that has one begins, whatever the format.
package enum FileFormat {
    private static let start = Array(#"{"format":"#.utf8)
    /// As many bytes of a file as have the number.
    package static let headBytes = 32

    /// Whether a newer promod has written a file with this beginning, which then stays as it is.
    package static func isNewer(_ head: [UInt8], than format: Int) -> Bool {
        let digits = head.dropFirst(start.count).prefix(while: \.isDigit)
        return head.starts(with: start) && Int(String(decoding: digits, as: UTF8.self)).map { $0 > format } ?? false
    }
}

extension RefreshSchedule.Record: FileContents {
    package static var noun: String { "schedule" }
    package static var format: Int? { nil }
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
