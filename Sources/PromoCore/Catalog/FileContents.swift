/// A value with a format of its own in a file.
package protocol FileContents: Sendable {
    /// What it is, for messages.
    static var noun: String { get }
    /// The contents of the file.
    var fileBytes: [UInt8] { get }
    /// Reads what ``fileBytes`` wrote; nil for anything else.
    init?(fileBytes: [UInt8])
}

extension ScheduleBook: FileContents {
    package static var noun: String { "schedule" }
}

extension IconBook: FileContents {
    package static var noun: String { "list of icons" }
}

extension SignatureBook: FileContents {
    package static var noun: String { "list of signatures" }
}
