import Logging
import PromoCore
import PromoSystem
import PromoWire
import Synchronization

/// Reads and writes the cached catalog, and logs its problems. It is written by the intake's worker alone.
final class CatalogStore: Sendable {
    private let file: CatalogFile
    private let log: CatalogLog
    private let lastProblem = Mutex<String?>(nil)

    /// Why the catalog on disk is not served, or why the one that is served is not on disk; nil if neither is the case.
    private(set) var problem: String? {
        get { lastProblem.withLock { $0 } }
        set { lastProblem.withLock { $0 = newValue } }
    }

    init(directory: PrivateDirectory, log: CatalogLog) {
        file = CatalogFile(directory: directory)
        self.log = log
    }

    var path: String { file.path }

    /// The catalog on disk if it is intact and valid by this version's rules.
    func load() -> HeldCatalog? {
        problem = nil
        switch file.read() {
        case .missing: return nil
        case .contents(let contents): return prepare(contents)
        case .damaged(let reason, let setAside):
            let fate = setAside.map { "was set aside as \($0)" } ?? "could not be set aside"
            report(.cacheDamaged, "The cached catalog is damaged: \(reason). It \(fate), and is not served")
            return nil
        case .unreadable(let error):
            report(.cacheUnreadable, "The cached catalog is not served: \(error)")
            return nil
        }
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
            let durability = try file.replace(with: contents)
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
            let durability = try file.remove()
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
    func remove() { _ = try? file.remove() }

    private func report(_ durability: PrivateDirectory.Durability, _ change: String) {
        guard let problem = durability.problem else { return }
        log(.notDurable, "\(change), but a power cut may undo that: \(problem)", ["error": "storage"])
    }

    private func prepare(_ contents: CatalogContents) -> HeldCatalog? {
        do {
            return try HeldCatalog(contents, isStored: true)
        } catch {
            let refusal = error.failure
            report(
                .cacheInvalid,
                "The cached catalog is intact, but not valid by this version's rules, and is not served: \(refusal.message)",
                code: refusal.code)
            return nil
        }
    }
}
