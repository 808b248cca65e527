package import PromoWire

/// The mark of a promod that runs under a service manager: it is there from its start to its orderly end, so whoever finds
/// it at a start knows that the promod before crashed.
package struct CrashFile: Sendable {
    private static let name = "running"

    private let directory: PrivateDirectory

    /// The mark of a process started with that environment; nil where nobody would restart it.
    ///
    /// It lies in the runtime directory: a reboot is no crash, and a full disk does not reach there.
    package init?(environment: [String: String]) {
        guard environment["NOTIFY_SOCKET"] != nil, let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/")
        else { return nil }
        directory = PrivateDirectory(path: runtime + "/promod")
    }

    /// Sets the mark, and says what the promods before left.
    package func begin(now: Timestamp) -> CrashHistory {
        let bytes = try? FileReader.read(directory.path(of: Self.name), maximumBytes: 4096)
        let history = CrashHistory(after: bytes.flatMap(CrashHistory.init(fileBytes:)), now: now)
        // Where it cannot be written nothing is counted, and no start waits.
        _ = try? directory.replace(Self.name, with: [history.fileBytes])
        return history
    }

    /// Removes the mark: this promod ends as it was told.
    package func end() {
        _ = try? directory.remove(Self.name)
    }
}
