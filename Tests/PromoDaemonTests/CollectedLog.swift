import Logging
import Synchronization

/// A log that records its messages.
final class CollectedLog: Sendable {
    private let texts = Mutex<[String]>([])

    var messages: [String] { texts.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: CollectedLog
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.texts.withLock { $0.append("\(event.message)") }
        }
    }
}
