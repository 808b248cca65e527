import Logging
import PromoCore
import PromoWire
import Synchronization

/// The signatures that were accepted, in memory and in the state directory, where neither `clear` nor the removal of the cache forgets
/// them.
final class SignatureStore: Sendable {
    private static let name = "signatures.json"
    private static let damagedName = "signatures.json.damaged"

    private let directory: PrivateDirectory
    private let logger: Logger
    private let book = Mutex(SignatureBook())
    private let reported = Mutex<String?>(nil)

    init(directory: PrivateDirectory, logger: Logger) {
        self.directory = directory
        self.logger = logger
    }

    /// What is known, with the signature of the catalog that is held; nothing where every catalog counts.
    func book(for trust: CatalogTrust, with held: HeldCatalog? = nil, now: Timestamp) -> SignatureBook {
        guard trust != .anyone else { return SignatureBook() }
        return book.withLock { book in
            if let stored = read() { book.merge(stored) }
            if let held { book.accept(held, now: now) }
            return book
        }
    }

    /// Writes down the signature of a catalog that is about to be served. If the disk refuses, it is known only until promod ends.
    func accept(_ held: HeldCatalog, now: Timestamp) {
        guard let key = held.signature?.key else { return }
        let next = book(for: CatalogTrust(keys: [key]), with: held, now: now)
        guard next != read() ?? SignatureBook() else { return }
        do {
            let durability = try directory.replace(Self.name, with: [next.fileBytes])
            guard let problem = durability.problem else { return }
            logger.log(
                .notDurable, "The signatures were written, but a power cut may undo that: \(problem)",
                ["error": "storage"])
        } catch {
            report("After a restart an older signed catalog may be taken, because \(error)")
        }
    }

    /// The book on disk; nil if there is none. One that cannot be used is set aside, or it would be in the way for ever.
    private func read() -> SignatureBook? {
        let path = directory.path(of: Self.name)
        let reason: String
        do throws(SystemError) {
            guard let bytes = try FileReader.read(path, maximumBytes: SignatureBook.maximumBytes) else { return nil }
            if let stored = SignatureBook(fileBytes: bytes) { return stored }
            reason = "\(path) is damaged"
        } catch {
            reason = "\(error)"
        }
        let damaged = directory.path(of: Self.damagedName)
        let isAside = (try? directory.move(Self.name, to: Self.damagedName)) != nil
        report(
            "Signed catalogs that are older than the last ones may be taken, because \(reason). "
                + (isAside ? "It was set aside as \(damaged)" : "It cannot be set aside as \(damaged)"))
        return nil
    }

    /// Logs a problem once, however often it occurs.
    private func report(_ message: String) {
        let isNew = reported.withLock { reported in
            defer { reported = message }
            return reported != message
        }
        guard isNew else { return }
        logger.log(.signaturesNotKept, message, ["error": "storage"])
    }
}
