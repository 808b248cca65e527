import Logging
import PromoCore
@testable import PromoDaemon
import PromoWire
import Synchronization

/// A store as a reference type, for use within expectations. It stores each change, and its requests have three completions.
final class StoreUnderTest {
    private var store: ReviewStore
    private let now: Timestamp

    init(_ store: ReviewStore, now: Timestamp) {
        self.store = store
        self.now = now
    }

    var history: ReviewHistory? { store.history }

    func prepare() throws(RequestError) { try store.prepare() }

    /// Why the history cannot be used; nil if it can.
    var problem: RequestError? {
        do throws(RequestError) { try prepare() } catch { return error }
        return nil
    }

    func launch(_ app: String, at time: Timestamp) throws(RequestError) -> LaunchResult {
        let result = try store.launch(app, now: time)
        try store.store()
        return result
    }

    func request(
        _ app: String, policy: ReviewPolicy = ReviewPolicy(), at time: Timestamp? = nil
    ) throws(RequestError) -> ReviewResult {
        let result = try store.request(
            ReviewParameters(app: app, completed: 3), policy: policy, page: nil, isOnline: { true }, now: time ?? now)
        try store.store()
        return result
    }

    /// Changes the store, and stores that.
    @discardableResult
    func stored<Result>(_ body: (inout ReviewStore) throws(RequestError) -> Result) throws(RequestError) -> Result {
        let result = try body(&store)
        try store.store()
        return result
    }

    /// Gives access to the store itself, whose changes are not stored.
    func withStore<Result>(_ body: (inout ReviewStore) throws(RequestError) -> Result) throws(RequestError) -> Result {
        try body(&store)
    }
}

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
