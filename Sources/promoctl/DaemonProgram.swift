import CrossPromoKit
import Glibc
import PromoSystem

/// Runs the program `promod`, which contains TLS and the rules for catalogs and configuration, unlike promoctl.
enum DaemonProgram {
    /// Runs it with this process's input and outputs, and returns its exit code.
    static func run(_ arguments: [String]) throws(Failure) -> Int32 {
        do {
            return try Subprocess([path] + arguments, output: .inherited).wait() ?? EX_SOFTWARE
        } catch {
            throw Failure(.unreachable, "\(error). promod must be installed beside promoctl, or be on the PATH.")
        }
    }

    /// The program beside this one, else the one on the `PATH`.
    private static var path: String {
        guard let own = try? String(resolving: "/proc/self/exe") else { return "promod" }
        let beside = own.directory + "/promod"
        return FileSystem.access(beside, X_OK) == 0 ? beside : "promod"
    }
}
