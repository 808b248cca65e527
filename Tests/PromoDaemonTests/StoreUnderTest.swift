import Logging
import PromoCore
@testable import PromoDaemon
import PromoWire
import Synchronization

/// A store with the names of catalogs, and the changes that requests make.
struct NamedStore {
    var reviews: ReviewStore
    /// Whether a catalog names an app.
    var isNamed: (ReviewHistory.Subject) -> Bool? = { _ in true }

    var history: ReviewHistory? { reviews.history }

    mutating func launch(
        _ app: String, in catalog: String = "default", now: Timestamp
    ) throws(RequestError) -> LaunchResult {
        let isNamed = isNamed
        return try reviews.change { try $0.launch(.init(app, in: catalog), now: now, isNamed: isNamed) }
    }

    mutating func request(
        _ parameters: ReviewParameters, policy: ReviewPolicy, now: Timestamp
    ) throws(RequestError) -> ReviewResult {
        try reviews.change {
            try $0.request(
                parameters, of: .init(parameters.app, in: "default"), policy: policy, page: nil, isOnline: { true },
                now: now)
        }
    }

    mutating func reset(_ app: String) throws(RequestError) -> ReviewResetResult {
        try reviews.change { try $0.reset(.init(app, in: "default")) }
    }

    mutating func record(of app: String) throws(RequestError) -> ReviewRecord? {
        try reviews.change { $0.history[app] }
    }

    mutating func store() throws(RequestError) { try reviews.store() }
    mutating func namesChanged() { reviews.namesChanged() }
    mutating func carry(out moves: [ReviewHistory.Move]) { reviews.carry(out: moves) }

    func isStored(_ app: String) -> Bool { reviews.isStored(.init(app, in: "default")) }
}

/// A store as a reference type, for use within expectations. It stores each change, and its requests have three completions.
final class StoreUnderTest {
    private var store: NamedStore
    private let now: Timestamp

    init(
        _ store: ReviewStore, isNamed: @escaping (ReviewHistory.Subject) -> Bool? = { _ in true }, now: Timestamp
    ) {
        self.store = NamedStore(reviews: store, isNamed: isNamed)
        self.now = now
    }

    var history: ReviewHistory? { store.history }

    func prepare() throws(RequestError) { try store.reviews.prepare() }

    /// Checks the file, and returns why it cannot be used; nil if it can.
    func check() -> String? {
        store.reviews.check()
        return store.reviews.problem
    }

    /// Why the history cannot be used; nil if it can.
    var problem: RequestError? {
        do throws(RequestError) { try prepare() } catch { return error }
        return nil
    }

    func launch(_ app: String, at time: Timestamp) throws(RequestError) -> LaunchResult {
        try stored { (store) throws(RequestError) in try store.launch(app, now: time) }
    }

    func request(
        _ app: String, policy: ReviewPolicy = ReviewPolicy(), at time: Timestamp? = nil
    ) throws(RequestError) -> ReviewResult {
        try stored { (store) throws(RequestError) in
            try store.request(ReviewParameters(app: app, completed: 3), policy: policy, now: time ?? now)
        }
    }

    /// Changes the store, and stores that.
    @discardableResult
    func stored<Result>(_ body: (inout NamedStore) throws(RequestError) -> Result) throws(RequestError) -> Result {
        let result = try body(&store)
        try store.store()
        return result
    }

    /// Gives access to the store itself, whose changes are not stored.
    func withStore<Result>(_ body: (inout NamedStore) throws(RequestError) -> Result) throws(RequestError) -> Result {
        try body(&store)
    }
}

extension ReviewHistory {
    /// Records an app's first launch.
    mutating func recordLaunch(of app: String, at time: Timestamp) {
        self[app, in: "default"] = (self[app] ?? ReviewRecord()).merged(with: ReviewRecord(firstLaunch: time))
    }

    /// Records a review request of an app.
    mutating func recordRequest(of app: String, at time: Timestamp) {
        var record = self[app] ?? ReviewRecord()
        record.recordRequest(at: time)
        self[app, in: "default"] = record
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
