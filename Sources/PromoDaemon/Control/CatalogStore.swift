import Logging
import PromoCore
import PromoWire

/// Reads and writes the cached catalog, and logs what is wrong with it.
struct CatalogStore {
    private let file: CatalogFile
    private let offer: CatalogFile
    private let logger: Logger

    init(directory: PrivateDirectory, logger: Logger) {
        file = CatalogFile(directory: directory)
        offer = .offer(in: directory)
        self.logger = logger
    }

    var path: String { file.path }

    /// The catalog on disk if it is intact, valid by this version's rules, and from the given URL; without a URL, from any.
    func load(url: HTTPSURL?) -> HeldCatalog? {
        switch file.read() {
        case .missing:
            return nil
        case .contents(let contents):
            guard url == nil || contents.header.url == url?.normalized else {
                logger.log(.cacheForeign, "The cached catalog belongs to another URL and is not served")
                return nil
            }
            return prepare(contents)
        case .damaged(let reason, let setAside):
            let fate = setAside.map { "was set aside as \($0)" } ?? "could not be set aside"
            logger.log(
                .cacheDamaged, "The cached catalog is damaged: \(reason). It \(fate), and is not served",
                ["error": "storage"])
            return nil
        case .unreadable(let error):
            logger.log(.cacheUnreadable, "The cached catalog is not served: \(error)", ["error": "storage"])
            return nil
        }
    }

    /// Takes the catalog that `promod configure` left for the daemon, if it is valid, from the given URL, and newer than `held`.
    func takeOffer(of url: HTTPSURL?, over held: HeldCatalog?) -> HeldCatalog? {
        guard case .contents(let contents) = offer.read() else { return nil }
        // If the file cannot be removed, the next reload reads it again and finds that it is not newer.
        defer { _ = try? offer.remove() }
        let header = contents.header
        guard let url, header.url == url.normalized else { return nil }
        if let known = held?.contents?.header, known.url == header.url, known.fetchedAt >= header.fetchedAt {
            return nil
        }
        guard var offered = prepare(contents) else { return nil }
        _ = store(&offered)
        return offered
    }

    /// Writes the catalog to disk and sets `isStored`; does nothing for the sample.
    /// - Returns: the failure if the disk refused.
    func store(_ held: inout HeldCatalog) -> Failure? {
        guard let contents = held.contents else { return nil }
        do {
            let durability = try file.replace(with: contents)
            held.isStored = true
            report(durability, "The catalog was stored")
            return nil
        } catch {
            held.isStored = false
            let failure = Failure(.storage, "The catalog is served from memory, because it cannot be stored: \(error).")
            logger.log(.catalogNotStored, failure.message, ["error": "storage"])
            return failure
        }
    }

    /// Removes the catalog from disk on request.
    /// - Throws: `not-stored` if the file cannot be removed.
    func clear() throws(RequestError) {
        do {
            let durability = try file.remove()
            logger.log(.cacheCleared, "The cached catalog was cleared on request")
            report(durability, "The cached catalog was removed")
        } catch {
            let message = "The cached catalog was not cleared, because its file cannot be removed: \(error)."
            logger.log(.cacheNotCleared, message, ["error": "storage"])
            throw RequestError(.notStored, message)
        }
    }

    private func report(_ durability: PrivateDirectory.Durability, _ change: String) {
        guard let problem = durability.problem else { return }
        logger.log(.notDurable, "\(change), but a power cut may undo that: \(problem)", ["error": "storage"])
    }

    private func prepare(_ contents: CatalogContents) -> HeldCatalog? {
        do {
            return try HeldCatalog(contents, isStored: true)
        } catch {
            logger.log(
                .cacheInvalid,
                "The cached catalog is intact but breaks this version's rules, so it is not served: \(error.failure.message)",
                ["error": "\(error.failure.code.rawValue)"])
            return nil
        }
    }
}
