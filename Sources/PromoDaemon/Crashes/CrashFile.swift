package import PromoWire
import Synchronization

/// A file that exists from the start of a promod under a service manager to its orderly end. A promod that finds it at its start knows
/// that the previous one exited unexpectedly.
package final class CrashFile: Sendable {
    private static let name = "running"

    private let directory: PrivateDirectory
    /// Set by a stop, after which a start that is still under way writes nothing.
    private let hasEnded = Mutex(false)

    /// The file for a process with that environment; nil if no service manager would restart it.
    ///
    /// The file is in the runtime directory, so that a reboot does not count as a crash, and a full disk does not matter.
    package init?(environment: [String: String]) {
        guard environment["NOTIFY_SOCKET"] != nil, let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/")
        else { return nil }
        directory = PrivateDirectory(path: runtime + "/promod")
    }

    /// Writes the file, and returns the history of the crashes before this start.
    package func begin(now: Timestamp) -> CrashHistory {
        let bytes = try? FileReader.read(directory.path(of: Self.name), maximumBytes: 4096)
        let history = CrashHistory(after: bytes.flatMap(CrashHistory.init(fileBytes:)), now: now)
        write(history)
        return history
    }

    /// Writes the history of this run.
    func write(_ history: CrashHistory) {
        hasEnded.withLock { hasEnded in
            // If the file cannot be written, no crash is counted, and no start waits.
            if !hasEnded { _ = try? directory.replace(Self.name, with: [history.fileBytes]) }
        }
    }

    /// Removes the file at an orderly end.
    package func end() {
        hasEnded.withLock { hasEnded in
            hasEnded = true
            _ = try? directory.remove(Self.name)
        }
    }
}
