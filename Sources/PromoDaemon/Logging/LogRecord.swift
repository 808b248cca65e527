package import Logging
import PromoWire

/// A line of the log, ready to be written.
package struct LogRecord: Sendable {
    package var level: Logger.Level
    package var message: String
    /// The journal's fields, by name.
    package var fields: [(name: String, value: String)]
    /// Where in the source the message was logged.
    package var file: String
    package var line: UInt
    package var function: String

    /// The maximum length of a message and of a field, in Unicode scalars: both may contain text from outside.
    static let (maximumMessage, maximumField) = (4096, 1024)

    /// A record of a message with metadata, and for a ``JournalEvent`` with the id of its explanation.
    ///
    /// The message and the fields are made printable, put on one line, and cut to their maximum length.
    init(level: Logger.Level, message: String, metadata: Logger.Metadata, file: String, line: UInt, function: String) {
        self.level = level
        self.message = message.printable.elided(to: Self.maximumMessage)
        self.file = file
        self.line = line
        self.function = function
        fields = metadata.sorted { $0.key < $1.key }.map {
            (Self.fieldName($0.key), "\($0.value)".printable.elided(to: Self.maximumField))
        }
        if let event = metadata["event"], let id = JournalEvent(rawValue: "\(event)")?.messageID {
            fields.append(("MESSAGE_ID", id))
        }
    }

    /// The priority by syslog(3).
    package var priority: Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    /// The name of a journal field for a metadata key, which has letters and hyphens. The prefix avoids journald's own names.
    static func fieldName(_ key: String) -> String { "PROMOD_" + key.uppercased().replacing("-", with: "_") }
}
