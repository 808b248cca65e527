import Logging
import Synchronization

/// Records what is logged.
final class LogRecorder: Sendable {
    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let values = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
            recorder.entries.withLock { $0.append("\(event.level): \(event.message)\(values)") }
        }
    }

    private let entries = Mutex<[String]>([])

    /// The level, message and metadata of each entry so far.
    var lines: [String] { entries.withLock { $0 } }

    /// A logger whose entries are recorded.
    var logger: Logger { Logger(label: "test") { _ in Handler(recorder: self) } }
}
