import Glibc
import Logging
import PromoCore
import PromoSystem
import PromoWire
import Synchronization

/// Reads and writes the cached catalog, and logs its problems.
final class CatalogStore: Sendable {
    private let file: CatalogFile
    private let log: CatalogLog
    /// Guards changes of the file: a catalog is stored on the queue of intakes, and cleared on the control plane's.
    private let changing = Mutex(())
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

    var isThere: Bool { FileSystem.access(path, F_OK) == 0 }

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

    private func report(_ event: JournalEvent, _ problem: String, code: Failure.Code = .storage) {
        self.problem = problem.hasSuffix(".") ? problem : problem + "."
        log(event, problem, ["error": "\(code.rawValue)"])
    }

    /// Writes the catalog to disk and sets `isStored`. Does nothing for the sample, or if the intake was cancelled.
    /// - Returns: the failure if the disk refused.
    func store(_ held: inout HeldCatalog, unless intake: IntakeQueue.Token? = nil) -> Failure? {
        changing.withLock { _ in intake?.isCancelled == true ? nil : write(&held) }
    }

    private func write(_ held: inout HeldCatalog) -> Failure? {
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

    /// Removes the catalog from disk, and cancels an intake that could store it again.
    /// - Throws: `not-stored` if the file cannot be removed; then nothing is cancelled.
    func clear(cancelling intake: IntakeQueue.Token?) throws(RequestError) {
        do {
            let durability = try changing.withLock { _ throws(SystemError) in
                let durability = try file.remove()
                intake?.cancel()
                return durability
            }
            problem = nil
            log(.cacheCleared, "The cached catalog was cleared on request")
            report(durability, "The cached catalog was removed")
        } catch {
            let message = "The cached catalog was not cleared, because its file cannot be removed: \(error)."
            log(.cacheNotCleared, message, ["error": "storage"])
            throw RequestError(.notStored, message)
        }
    }

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
