import Logging
import PromoCore
import PromoSystem
import PromoWire

/// The file of the cached catalog, whose problems it logs. It is written by the intake's worker alone.
struct CatalogStore: Sendable {
    /// What a job on the file has found.
    struct Findings: Sendable {
        /// Why the catalog on disk is not served, or why the one that is served is not on disk; nil if neither is the case.
        var problem: Failure?
        /// Why a power cut may undo the change; nil if it cannot.
        var notDurable: SystemError?
    }

    /// The largest catalog with its header.
    private static let maximumBytes = AppCatalog.maximumBytes + CatalogContents.maximumHeader
    private static let name = "catalog"
    private static let damagedName = "catalog.damaged"

    let directory: PrivateDirectory

    /// The file's path.
    var path: String { directory.path(of: Self.name) }

    /// The catalog on disk if it matches its header, and is valid by this version's rules.
    func load(_ findings: inout Findings, _ log: CatalogLog) -> HeldCatalog? {
        let event: JournalEvent
        do {
            guard let file = try FileReader.read(path, maximumBytes: Self.maximumBytes) else { return nil }
            return try HeldCatalog(CatalogContents(fileBytes: consume file))
        } catch is CatalogContents.Damage where isNewer {
            (event, findings.problem) = (.cacheUnreadable, newer)
        } catch let error as CatalogContents.Damage {
            let isAside = (try? directory.move(Self.name, to: Self.damagedName)) != nil
            let fate = isAside ? "was set aside as \(directory.path(of: Self.damagedName))" : "could not be set aside"
            let text = "The cached catalog is damaged: \(error.reason). It \(fate), and is not served"
            (event, findings.problem) = (.cacheDamaged, Failure(.storage, text))
        } catch let error as CatalogError {
            let refusal = error.failure
            let text =
                "The cached catalog is intact, but not valid by this version's rules, and is not served: \(refusal.message)"
            (event, findings.problem) = (.cacheInvalid, Failure(refusal.code, text))
        } catch {
            (event, findings.problem) = (
                .cacheUnreadable, Failure(.storage, "The cached catalog is not served: \(error)")
            )
        }
        if let problem = findings.problem { log(event, problem.message, ["error": "\(problem.code.rawValue)"]) }
        return nil
    }

    /// Whether a newer promod has written the file, which counts as absent and stays.
    private var isNewer: Bool { FileReader.isNewer(path, than: CatalogContents.format) }

    private var newer: Failure { Failure(.storage, "\(path) was written by a newer promod, and stays as it is") }

    /// Writes the catalog to disk.
    func store(_ contents: CatalogContents, _ log: CatalogLog) -> Findings {
        if isNewer { return Findings(problem: newer) }
        do throws(SystemError) {
            let durability = try directory.replace(Self.name, with: contents.fileParts)
            return Findings(notDurable: durability.problem)
        } catch {
            let problem = Failure(.storage, "The catalog is served from memory, because it cannot be stored: \(error).")
            log(.catalogNotStored, problem.message, ["error": "storage"])
            return Findings(problem: problem)
        }
    }

    /// Removes the catalog from disk.
    /// - Throws: `not-stored` if the file cannot be removed.
    func clear(_ log: CatalogLog) throws(RequestError) -> Findings {
        do throws(SystemError) {
            let durability = try directory.remove(Self.name)
            log(.cacheCleared, "The cached catalog was cleared on request")
            return Findings(notDurable: durability.problem)
        } catch {
            let message = "The cached catalog was not cleared, because its file cannot be removed: \(error)."
            log(.cacheNotCleared, message, ["error": "storage"])
            throw RequestError(.notStored, message)
        }
    }

    /// Removes a catalog that was stored after a clear.
    func remove() { _ = try? directory.remove(Self.name) }
}

/// Logs about one catalog, whose name begins the messages if there are several.
struct CatalogLog: Sendable {
    let logger: Logger
    let name: String
    let isOneOfSeveral: Bool

    func callAsFunction(
        _ event: JournalEvent, _ message: String, _ metadata: Logger.Metadata = [:], file: String = #fileID,
        function: String = #function, line: UInt = #line
    ) {
        logger.log(
            event, isOneOfSeveral ? "\(name): \(message)" : message, metadata.merging(["catalog": "\(name)"]) { $1 },
            file: file, function: function, line: line)
    }
}
