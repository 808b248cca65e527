import Logging
import PromoCore
import PromoSystem
import PromoWire
import Synchronization

/// The file of the cached catalog, whose problems it logs. It is written by the intake's worker alone.
final class CatalogStore: Sendable {
    /// The largest catalog with its header.
    private static let maximumBytes = AppCatalog.maximumBytes + CatalogContents.maximumHeader
    private static let name = "catalog"
    private static let damagedName = "catalog.damaged"

    private let directory: PrivateDirectory
    private let log: CatalogLog
    private let lastProblem = Mutex<String?>(nil)
    /// Whether it was logged that the filesystem confirms no write.
    private let isMissingSyncReported = Atomic(false)

    /// Why the catalog on disk is not served, or why the one that is served is not on disk; nil if neither is the case.
    private(set) var problem: String? {
        get { lastProblem.withLock { $0 } }
        set { lastProblem.withLock { $0 = newValue } }
    }

    init(directory: PrivateDirectory, log: CatalogLog) {
        (self.directory, self.log) = (directory, log)
    }

    /// The file's path.
    var path: String { directory.path(of: Self.name) }

    /// The catalog on disk if it matches its header, and is valid by this version's rules.
    func load() -> HeldCatalog? {
        problem = nil
        do {
            guard let file = try FileReader.read(path, maximumBytes: Self.maximumBytes) else { return nil }
            return try HeldCatalog(CatalogContents(fileBytes: consume file), isStored: true)
        } catch let error as CatalogContents.Damage {
            let isAside = (try? directory.move(Self.name, to: Self.damagedName)) != nil
            let fate = isAside ? "was set aside as \(directory.path(of: Self.damagedName))" : "could not be set aside"
            report(.cacheDamaged, "The cached catalog is damaged: \(error.reason). It \(fate), and is not served")
        } catch let error as CatalogError {
            let refusal = error.failure
            report(
                .cacheInvalid,
                "The cached catalog is intact, but not valid by this version's rules, and is not served: \(refusal.message)",
                code: refusal.code)
        } catch {
            report(.cacheUnreadable, "The cached catalog is not served: \(error)")
        }
        return nil
    }

    private func report(_ event: JournalEvent, _ problem: String, code: ProblemCode = .storage) {
        self.problem = problem.hasSuffix(".") ? problem : problem + "."
        log(event, problem, ["error": "\(code.rawValue)"])
    }

    /// Writes the catalog to disk and sets `isStored`. Does nothing for the sample.
    /// - Returns: the failure if the disk refused.
    func store(_ held: inout HeldCatalog) -> Failure? {
        guard let contents = held.contents else { return nil }
        do {
            let durability = try directory.replace(Self.name, with: contents.fileParts)
            held.isStored = true
            problem = nil
            report(durability, "The catalog was stored")
            return nil
        } catch {
            held.isStored = false
            let failure = Failure(.storage, "The catalog is served from memory, because it cannot be stored: \(error).")
            problem = failure.message
            log(.catalogNotStored, failure.message, ["error": "storage"])
            return failure
        }
    }

    /// Removes the catalog from disk.
    /// - Returns: `not-stored` if the file cannot be removed.
    func clear() -> RequestError? {
        do {
            let durability = try directory.remove(Self.name)
            problem = nil
            log(.cacheCleared, "The cached catalog was cleared on request")
            report(durability, "The cached catalog was removed")
            return nil
        } catch {
            let message = "The cached catalog was not cleared, because its file cannot be removed: \(error)."
            log(.cacheNotCleared, message, ["error": "storage"])
            return RequestError(.notStored, message)
        }
    }

    /// Removes a catalog that was stored after a clear.
    func remove() { _ = try? directory.remove(Self.name) }

    private func report(_ durability: PrivateDirectory.Durability, _ change: String) {
        guard let problem = durability.problem, !isMissingSyncReported.exchange(true, ordering: .relaxed) else {
            return
        }
        log(.notDurable, "\(change), but a power cut may undo that: \(problem)", ["error": "storage"])
    }
}
