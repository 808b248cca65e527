import CSystemd
import Glibc
import PromoProcess

/// Writes to systemd's journal, with fields.
struct JournalSink: LogSink {
    func write(_ record: LogRecord) {
        var fields = [
            "MESSAGE=\(record.message)", "PRIORITY=\(record.priority)", "SYSLOG_IDENTIFIER=promod",
            "CODE_FILE=\(record.file)", "CODE_LINE=\(record.line)", "CODE_FUNC=\(record.function)",
        ]
        fields += record.fields.map { "\($0.name)=\($0.value)" }
        // Standard error is the journal's stream, which needs no library.
        if Self.send(fields.map { Array($0.utf8) }) == -ENOSYS { StandardErrorSink().write(record) }
    }

    /// Returns what sd_journal_sendv(3) returns, or -ENOSYS without libsystemd.
    private static func send(_ fields: [[UInt8]]) -> Int32 {
        let bytes = fields.flatMap(\.self)
        // The vectors divide the bytes among themselves. The function only reads them, and is done when it returns.
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

/// The sink of a service that started while there was no journal: systemd connected its standard error to /dev/null, so each
/// record looks for the journal again, and goes to standard error until the journal is back.
struct ReturningJournalSink: LogSink {
    private static let socket = "/run/systemd/journal/socket"

    func write(_ record: LogRecord) {
        if FileSystem.access(Self.socket, F_OK) == 0 {
            JournalSink().write(record)
        } else {
            StandardErrorSink().write(record)
        }
    }
}
