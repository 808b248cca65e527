import CSystemd
import Glibc
import Logging
import PromoSystem
import PromoWire

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
