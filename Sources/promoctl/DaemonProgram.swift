import CrossPromoKit
import Glibc

/// The daemon's program, which has TLS, the catalog's rules and the configuration's, and which this has not.
enum DaemonProgram {
    /// Runs it to its end, with this process's input and outputs; the exit code.
    static func run(_ arguments: [String]) throws(Failure) -> Int32 {
        do {
            return try Subprocess([path] + arguments, output: .inherited).wait() ?? EX_SOFTWARE
        } catch {
            throw Failure(.unreachable, "\(error). promod has to be installed beside promoctl, or to be on the PATH.")
        }
    }

    /// The one beside this, else the one on the `PATH`.
    private static var path: String {
        guard let resolved = realpath("/proc/self/exe", nil) else { return "promod" }
        defer { free(resolved) }
        guard let own = String(validatingCString: resolved) else { return "promod" }
        let beside =
            own.split(separator: "/").dropLast().reduce(into: "") { $0 += "/\($1)" } + "/promod"
        return access(beside, X_OK) == 0 ? beside : "promod"
    }
}
