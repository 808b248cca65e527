import CSystemd
import Glibc
import PromoWire
import Logging

/// Where log lines go.
package protocol LogSink: Sendable {
    /// Writes a record; it may block.
    func write(_ record: LogRecord)
}

/// systemd's journal, with fields.
struct JournalSink: LogSink {
    func write(_ record: LogRecord) {
        var fields = [
            "MESSAGE=\(record.message)", "PRIORITY=\(record.priority)", "SYSLOG_IDENTIFIER=promod",
            "CODE_FILE=\(record.file)", "CODE_LINE=\(record.line)", "CODE_FUNC=\(record.function)",
        ]
        fields += record.fields.map { "\($0.name)=\($0.value)" }
        Self.send(fields.map { Array($0.utf8) })
    }

    private static func send(_ fields: [[UInt8]]) {
        let bytes = fields.flatMap(\.self)
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            var offset = 0
            let vectors = fields.map { field -> iovec in
                defer { offset += field.count }
                return iovec(iov_base: UnsafeMutableRawPointer(mutating: base + offset), iov_len: field.count)
            }
            _ = promod_journal_send(vectors, vectors.count)
        }
    }
}

/// Standard error, a line a record, with its time.
struct StandardErrorSink: LogSink {
    func write(_ record: LogRecord) {
        let line = "\(LocalTime.text(seconds: time(nil))) \(record.level.rawValue): \(record.message)\n"
        let bytes = Array(line.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
