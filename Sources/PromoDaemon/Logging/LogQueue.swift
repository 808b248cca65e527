import Dispatch
import Glibc
package import Logging
import PromoSystem
import PromoWire
import Synchronization

/// Takes log records without blocking the caller: a private queue writes them from a bounded backlog, and counts those that do not fit.
package final class LogQueue: Sendable {
    private struct State {
        var backlog: [LogRecord] = []
        var dropped = 0
        var isDraining = false
        var level: Logger.Level
        /// The messages of this minute, each with how often it came and its last record; and when the minute began.
        var repeats: [String: (count: Int, last: LogRecord)] = [:]
        var begin: Milliseconds = 0
        /// Whether some of them are only counted, so that the minute's end is due.
        var isCounting = false

        /// Appends a record, or counts it as dropped.
        /// - Returns: whether writing has to begin.
        mutating func append(_ record: LogRecord) -> Bool {
            guard backlog.count < LogQueue.capacity else {
                dropped += 1
                return false
            }
            backlog.append(record)
            defer { isDraining = true }
            return !isDraining
        }
    }

    /// The maximum number of waiting records. While journald does not read, writing blocks, and further records are dropped and counted.
    package static let capacity = 1024

    /// How often a message is written in a minute. Further ones are counted, because clients can cause thousands in a second.
    static let burst = 10
    private static let minute: Milliseconds = 60_000

    private let worker = DispatchQueue(label: "promod.log")
    private let sink: any LogSink
    private let state: Mutex<State>

    /// A queue in front of a sink.
    package init(sink: any LogSink, level: Logger.Level = .info) {
        self.sink = sink
        state = Mutex(State(level: level))
    }

    /// A queue for a process with that environment: to the journal if standard error goes there, or in the background, else to standard
    /// error.
    package convenience init(environment: [String: String], isInBackground: Bool = false) {
        self.init(sink: isInBackground || Self.isJournal(environment) ? JournalSink() : StandardErrorSink())
    }

    /// The lowest level that is written.
    package var level: Logger.Level {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// A logger that writes here.
    package func makeLogger() -> Logger {
        Logger(label: "promod") { _ in QueueLogHandler(queue: self) }
    }

    func enqueue(_ record: LogRecord) {
        let now = PollLoop.clock()
        let (begins, beginsToCount) = state.withLock { state in
            if !state.isCounting, now - state.begin >= Self.minute { (state.repeats, state.begin) = ([:], now) }
            let count = (state.repeats[record.message]?.count ?? 0) + 1
            // If there are so many different ones, the backlog bounds them.
            if count > 1 || state.repeats.count < Self.capacity { state.repeats[record.message] = (count, record) }
            guard count > Self.burst else { return (state.append(record), false) }
            defer { state.isCounting = true }
            return (false, !state.isCounting)
        }
        if begins { worker.async { self.drain() } }
        if beginsToCount { worker.asyncAfter(deadline: .now() + .seconds(60)) { self.endMinute() } }
    }

    /// Writes the messages that were only counted, each once.
    private func endMinute() {
        let begins = state.withLock { state in
            let counted = state.repeats.values.filter { $0.count > Self.burst }
            (state.repeats, state.isCounting) = ([:], false)
            return counted.reduce(false) { begins, message in
                var record = message.last
                record.message += " (\(message.count) times in 60 s)"
                return state.append(record) || begins
            }
        }
        if begins { drain() }
    }

    /// Waits until everything logged so far is written, for at most one second.
    package func flush() {
        worker.async { self.endMinute() }
        worker.finish(within: .seconds(1))
    }

    private func drain() {
        while true {
            let (records, dropped) = state.withLock { state in
                defer {
                    state.isDraining = !state.backlog.isEmpty
                    state.backlog = []
                    state.dropped = 0
                }
                return (state.backlog, state.dropped)
            }
            for record in records { sink.write(record) }
            if dropped > 0 { sink.write(Self.droppedNotice(dropped)) }
            if records.isEmpty { return }
        }
    }

    private static func droppedNotice(_ count: Int) -> LogRecord {
        LogRecord(
            level: JournalEvent.logDropped.level,
            message: "\(count) log messages were dropped, because the log did not take them in time",
            metadata: ["event": "\(JournalEvent.logDropped.rawValue)", "dropped": "\(count)"], file: #fileID,
            line: #line, function: #function)
    }

    /// Whether standard error is systemd's stream to the journal, which it names by device and inode (systemd.exec(5)).
    static func isJournal(_ environment: [String: String]) -> Bool {
        stat(of: STDERR_FILENO).map { environment["JOURNAL_STREAM"] == "\($0.st_dev):\($0.st_ino)" } ?? false
    }
}

/// The swift-log handler that writes to a ``LogQueue``.
private struct QueueLogHandler: LogHandler {
    let queue: LogQueue
    var metadata: Logger.Metadata = [:]

    var logLevel: Logger.Level {
        get { queue.level }
        nonmutating set { queue.level = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        queue.enqueue(
            LogRecord(
                level: event.level, message: event.message.description, metadata: all, file: event.file,
                line: event.line, function: event.function))
    }
}
