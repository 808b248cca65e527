import CSystemd
import Glibc
import PromoSystem

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

/// The sink of a service that started without a journal. systemd connected its standard error to /dev/null, so each record goes to the
/// journal if that has returned.
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
