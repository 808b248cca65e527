import Logging
import PromoCore
import PromoWire
import Synchronization

/// The accepted signatures, in memory and in the state directory, where they survive a `clear` and the removal of the cache.
final class SignatureStore: Sendable {
    private static let damagedName = "signatures.json.damaged"

    private let file: StoredFile<SignatureBook>
    private let logger: Logger
    private let state = Mutex(State())

    /// Why the newest signature is not on disk; nil if it is.
    var problem: String? { state.withLock { $0.problem } }

    private struct State {
        var accepted = SignatureBook()
        /// Those whose catalogs are on disk: after a restart, the catalog in the cache must count.
        var stored = SignatureBook()
        var problem: String?
        /// The problem that was logged last.
        var reported: String?

        mutating func merge(_ onDisk: SignatureBook?) {
            guard let onDisk else { return }
            accepted.merge(onDisk)
            stored.merge(onDisk)
        }
    }

    init(directory: PrivateDirectory, logger: Logger) {
        file = StoredFile(
            directory: directory, name: "signatures.json", maximumBytes: SignatureBook.maximumBytes)
        self.logger = logger
    }

    /// The accepted signatures, with that of the catalog that is served; none if no key is configured.
    func book(for trust: CatalogTrust, with held: HeldCatalog? = nil, now: Timestamp) -> SignatureBook {
        guard trust != .anyone else { return SignatureBook() }
        let onDisk = read()
        return state.withLock { state in
            state.merge(onDisk)
            if let held { state.accepted.accept(held, now: now) }
            return state.accepted
        }
    }

    /// Stores the signature of a catalog that is about to be served. If the disk refuses the signature or the catalog, it is known only
    /// until promod ends.
    func accept(_ held: HeldCatalog, now: Timestamp) {
        guard held.signature != nil else { return }
        let onDisk = read()
        let next = state.withLock { state in
            state.merge(onDisk)
            state.accepted.accept(held, now: now)
            if held.isStored { state.stored.accept(held, now: now) }
            return state.stored
        }
        guard next != onDisk ?? SignatureBook() else { return state.withLock { $0.problem = nil } }
        do {
            let durability = try file.replace(with: next)
            state.withLock { $0.problem = nil }
            guard let problem = durability.problem else { return }
            logger.log(
                .notDurable, "The signatures were written, but a power cut may undo that: \(problem)",
                ["error": "storage"])
        } catch {
            let message = "After a restart an older signed catalog may be accepted, because promod \(error)."
            state.withLock { $0.problem = message }
            report(message)
        }
    }

    /// The book on disk; nil if there is none. One that cannot be used is set aside, so that the next one can be written.
    private func read() -> SignatureBook? {
        do {
            return try file.read()
        } catch {
            let damaged = file.directory.path(of: Self.damagedName)
            let isAside = (try? file.directory.move(file.name, to: Self.damagedName)) != nil
            report(
                "Older signed catalogs may be accepted, because \(error). "
                    + (isAside ? "It was set aside as \(damaged)" : "It cannot be set aside as \(damaged)"))
            return nil
        }
    }

    /// Logs a problem unless it is the same as the last one.
    private func report(_ message: String) {
        let isNew = state.withLock { state in
            defer { state.reported = message }
            return state.reported != message
        }
        guard isNew else { return }
        logger.log(.signaturesNotKept, message, ["error": "storage"])
    }
}
