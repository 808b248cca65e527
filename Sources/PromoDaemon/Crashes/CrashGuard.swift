import Glibc
import PromoWire
import Synchronization

/// Records whether this run ends in an orderly way, and skips loads of the cached catalogs that have ended promod.
final class CrashGuard: Sendable {
    /// The delay of a load that the start has skipped.
    static let loadDelay: Duration = .seconds(3600)

    /// The file of the counts; nil if no service manager would restart this process.
    private let file: CrashFile?
    /// The history in the file; nil without one.
    private let history = Mutex<CrashHistory?>(nil)

    init(_ file: CrashFile?) {
        self.file = file
    }

    /// The number of earlier runs in a row that ended unexpectedly.
    var crashes: Int { history.withLock { $0?.crashes ?? 0 } }

    /// Whether a start loads the cached catalogs.
    var mayLoad: Bool { history.withLock { $0?.mayLoad ?? true } }

    /// Records the start.
    /// - Returns: the history before it; nil if no service manager would restart this process.
    func begin(now: Timestamp) -> CrashHistory? {
        let found = file?.begin(now: now)
        history.withLock { $0 = found }
        return found
    }

    /// Calls the closure, which loads the cached catalogs if they may be loaded. If that ends promod, the file has the count.
    func load(_ body: (_ mayLoad: Bool) -> Void) {
        guard mayLoad else { return body(false) }
        count { $0 + 1 }
        body(true)
        count { _ in 0 }
    }

    /// Calls the closure, which loads what the start has skipped. If that ends promod, the next start skips it too, because the file still
    /// has the count.
    func loadAgain(_ body: () -> Void) {
        body()
        count { _ in 0 }
    }

    private func count(_ next: (_ loads: Int) -> Int) {
        let changed = history.withLock { history in
            if let loads = history?.loads { history?.loads = next(loads) }
            return history
        }
        if let changed { file?.write(changed) }
    }

    /// Records an orderly end.
    func end() {
        file?.end()
    }

    /// Ends the process before it serves, even during the pause.
    func endProcess() -> Never {
        end()
        exit(ExitCode.success.rawValue)
    }
}
