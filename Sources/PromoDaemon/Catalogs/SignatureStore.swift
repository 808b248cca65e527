import Logging
import PromoCore
import PromoWire
import Synchronization

/// The accepted signatures, in memory and in the state directory, where they survive a `clear` and the removal of the cache.
final class SignatureStore: Sendable {
    private static let damagedName = "signatures.json.damaged"

    private let file: StoredFile<SignatureBook>
    private let logger: Logger
    private let books = Mutex(Books())
    private let reported = Mutex<String?>(nil)
    private let refusal = Mutex<String?>(nil)

    /// Why the newest signature is not on disk; nil if it is.
    var problem: String? { refusal.withLock { $0 } }

    private struct Books {
        var accepted = SignatureBook()
        /// Those whose catalogs are on disk: after a restart, the catalog in the cache must count.
        var stored = SignatureBook()

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
        return books.withLock { books in
            books.merge(read())
            if let held { books.accepted.accept(held, now: now) }
            return books.accepted
        }
    }

    /// Stores the signature of a catalog that is about to be served. If the disk refuses the signature or the catalog, it is known only
    /// until promod ends.
    func accept(_ held: HeldCatalog, now: Timestamp) {
        guard held.signature != nil else { return }
        let onDisk = read()
        let next = books.withLock { books in
            books.merge(onDisk)
            books.accepted.accept(held, now: now)
            if held.isStored { books.stored.accept(held, now: now) }
            return books.stored
        }
        guard next != onDisk ?? SignatureBook() else { return refusal.withLock { $0 = nil } }
        do {
            let durability = try file.replace(with: next)
            refusal.withLock { $0 = nil }
            guard let problem = durability.problem else { return }
            logger.log(
                .notDurable, "The signatures were written, but a power cut may undo that: \(problem)",
                ["error": "storage"])
        } catch {
            let message = "After a restart an older signed catalog may be accepted, because promod \(error)."
            refusal.withLock { $0 = message }
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
        let isNew = reported.withLock { reported in
            defer { reported = message }
            return reported != message
        }
        guard isNew else { return }
        logger.log(.signaturesNotKept, message, ["error": "storage"])
    }
}
