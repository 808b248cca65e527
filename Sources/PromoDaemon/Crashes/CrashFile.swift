package import PromoWire

/// A file that exists from the start of a promod under a service manager to its orderly end, so a promod that finds it when it
/// starts knows that the previous one exited unexpectedly.
package struct CrashFile: Sendable {
    private static let name = "running"

    private let directory: PrivateDirectory

    /// The file for a process with that environment; nil if no service manager would restart it.
    ///
    /// It is in the runtime directory, so that a reboot does not count as a crash, and a full disk does not matter.
    package init?(environment: [String: String]) {
        guard environment["NOTIFY_SOCKET"] != nil, let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/")
        else { return nil }
        directory = PrivateDirectory(path: runtime + "/promod")
    }

    /// Writes the file, and returns the history of the crashes before this start.
    package func begin(now: Timestamp) -> CrashHistory {
        let bytes = try? FileReader.read(directory.path(of: Self.name), maximumBytes: 4096)
        let history = CrashHistory(after: bytes.flatMap(CrashHistory.init(fileBytes:)), now: now)
        // If the file cannot be written, no crash is counted and no start waits.
        _ = try? directory.replace(Self.name, with: [history.fileBytes])
        return history
    }

    /// Removes the file, because this promod ends in an orderly way.
    package func end() {
        _ = try? directory.remove(Self.name)
    }
}
