import Glibc
import PromoProcess
package import PromoWire

/// Checks whether promod runs without the file of its socket, which was removed: no client can connect, and a second promod exits,
/// because the first keeps the cache.
package struct SocketCheck: Sendable {
    private let cache: String

    /// - Parameter cache: the cache directory, whose lock names the process.
    package init(cache: String) {
        self.cache = cache
    }

    /// The diagnosis; nil if the file is there, or no promod runs.
    package var diagnosis: Diagnosis? {
        let environment = ProcessSetup.environment
        guard let path = try? SocketPath.resolve(environment: environment, userID: getuid()), stat(of: path) == nil,
            let owner = CacheLock.owner(in: PrivateDirectory(path: cache)), owner.isHere, let pid = owner.pid,
            OtherProcess.text("comm", of: pid) == "promod\n"
        else { return nil }
        let isUnit = OtherProcess.text("cgroup", of: pid)?.contains("/promod.service\n") == true
        let advice =
            isUnit
            ? "Restart it: systemctl --user restart promod.socket"
            : "It was started by hand, so end it (kill \(pid)), and start it again: promod"
        return Diagnosis("Socket", .bad, "promod runs (pid \(pid)), but its socket \(path) was removed. \(advice)")
    }
}
