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
