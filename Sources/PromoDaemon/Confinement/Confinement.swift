import CLinux
import Glibc

/// What the process is kept from.
enum Confinement {
    /// Keeps this process, and what it starts, from listing processes in `/proc` and from looking into any but itself. What
    /// a process whose number it guesses shows to everybody, it can still read.
    ///
    /// `ProtectProc=` would be the unit's way, but a user's manager may not mount a `/proc` of its own and leaves it out
    /// without a word. To be called before there is a second thread. A kernel without Landlock leaves `/proc` as it is.
    static func hideOtherProcesses() {
        _ = promod_hide_other_processes()
    }

    /// Whether the home directory is writable to the process, which the unit's sandbox forbids: where the system grants
    /// users no namespaces, most of that sandbox is not there.
    static func isMissing(home: String) -> Bool {
        var status = statvfs()
        guard statvfs(home, &status) == 0 else { return false }
        return status.f_flag & UInt(ST_RDONLY) == 0
    }
}
