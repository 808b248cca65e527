import CLinux
import Glibc

/// Restricts the process where the unit's sandbox cannot, and checks that sandbox.
enum Confinement {
    /// Keeps this process and its children from listing processes in `/proc` and from inspecting any but themselves. Files that all
    /// users may read can still be read by guessing a process id.
    ///
    /// `ProtectProc=` in the unit cannot do this, because a user's manager may not mount `/proc`, and ignores the setting silently.
    /// Call this before there is a second thread. Without Landlock in the kernel it does nothing.
    static func hideOtherProcesses() {
        _ = promod_hide_other_processes()
    }

    /// Whether the unit's sandbox is missing, as on a system that grants users no namespaces. Its sign is a writable home directory.
    static func isMissing(home: String) -> Bool {
        var status = statvfs()
        // The kernel fills the status before it returns.
        guard unsafe statvfs(home, &status) == 0 else { return false }
        return status.f_flag & UInt(ST_RDONLY) == 0
    }
}
