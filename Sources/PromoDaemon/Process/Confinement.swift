import CLinux
import Glibc

/// Restricts the process where the unit's sandbox cannot, and checks that sandbox.
enum Confinement {
    /// Keeps this process and its children from listing processes in `/proc` and from inspecting any but themselves. What
    /// another process shows to everybody can still be read if its number is guessed.
    ///
    /// `ProtectProc=` in the unit cannot do this: a user's manager may not mount a `/proc` of its own, and ignores the
    /// setting silently. Call this before there is a second thread. Without Landlock in the kernel it does nothing.
    static func hideOtherProcesses() {
        _ = promod_hide_other_processes()
    }

    /// Whether the unit's sandbox is missing, as it mostly is if the system grants users no namespaces. The sign is a home
    /// directory that the process may write to.
    static func isMissing(home: String) -> Bool {
        var status = statvfs()
        // The kernel fills the status before it returns.
        guard unsafe statvfs(home, &status) == 0 else { return false }
        return status.f_flag & UInt(ST_RDONLY) == 0
    }
}
