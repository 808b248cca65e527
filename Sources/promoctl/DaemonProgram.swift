import Glibc

/// The daemon's program: the one beside this, else the one on the `PATH`.
enum DaemonProgram {
    static var path: String {
        guard let resolved = realpath("/proc/self/exe", nil) else { return "promod" }
        defer { free(resolved) }
        guard let own = String(validatingCString: resolved) else { return "promod" }
        let beside =
            own.split(separator: "/").dropLast().reduce(into: "") { $0 += "/\($1)" } + "/promod"
        return access(beside, X_OK) == 0 ? beside : "promod"
    }
}
