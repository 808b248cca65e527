import CSystemd
import Glibc
package import Logging
import PromoSystem
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

/// A destination of log records.
package protocol LogSink: Sendable {
    /// Writes a record, and may block.
    func write(_ record: LogRecord)
}

/// Writes each record with its time as one line to standard error.
struct StandardErrorSink: LogSink {
    func write(_ record: LogRecord) {
        let line =
            "\(LocalTime.text(seconds: Int(ProcessSetup.now().milliseconds / 1000))) \(record.level.rawValue): \(record.message)\n"
        let bytes = Array(line.utf8)
        Descriptor.write(bytes.span, to: STDERR_FILENO)
    }
}

/// Writes to systemd's journal, with fields; to standard error what cannot be written there.
struct JournalSink: LogSink {
    /// The journal's socket, which a container may not have. sd_journal_sendv(3) drops records silently then.
    var socket = "/run/systemd/journal/socket"

    func write(_ record: LogRecord) {
        var fields = [
            "MESSAGE=\(record.message)", "PRIORITY=\(record.priority)", "SYSLOG_IDENTIFIER=promod",
            "CODE_FILE=\(record.file)", "CODE_LINE=\(record.line)", "CODE_FUNC=\(record.function)",
        ]
        fields += record.fields.map { "\($0.name)=\($0.value)" }
        guard FileSystem.access(socket, W_OK) == 0, Self.send(fields.map { Array($0.utf8) }) >= 0 else {
            return StandardErrorSink().write(record)
        }
    }

    /// Returns what sd_journal_sendv(3) returns, or -ENOSYS without libsystemd.
    private static func send(_ fields: [[UInt8]]) -> Int32 {
        let bytes = fields.flatMap(\.self)
        // The vectors are slices of the bytes, which the function reads before it returns.
        return unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            var offset = 0
            let vectors = unsafe fields.map { field -> iovec in
                defer { offset += field.count }
                return unsafe iovec(iov_base: UnsafeMutableRawPointer(mutating: base + offset), iov_len: field.count)
            }
            return unsafe promod_journal_send(vectors, vectors.count)
        }
    }
}
