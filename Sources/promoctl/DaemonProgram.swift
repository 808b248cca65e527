import CrossPromoKit
import Glibc
import PromoSystem
import PromoWire

/// Runs the program `promod`, which contains TLS and the rules for catalogs and configuration, unlike promoctl.
enum DaemonProgram {
    /// Runs it with this process's input and outputs, and returns its exit code.
    static func run(_ arguments: [String]) throws(Failure) -> Int32 {
        do {
            return try Subprocess([path] + arguments, output: .inherited).wait() ?? EX_SOFTWARE
        } catch {
            throw unstartable(error)
        }
    }

    /// Runs it with one line of input, and returns its output and its exit code.
    static func run(_ arguments: [String], input: String) throws(Failure) -> (output: [UInt8], code: Int32) {
        do {
            let (output, code) = try Subprocess.run([path] + arguments, input: input)
            return (output, code ?? EX_SOFTWARE)
        } catch {
            throw unstartable(error)
        }
    }

    /// Options that name the configuration file and the cache of the running promod, whose environment may differ from this one.
    static func places(_ status: StatusResult?) -> [String] {
        var options: [String] = []
        if let file = status?.process.configurationPath { options += ["--file", file] }
        // The path is CACHE/catalogs/DIGEST/catalog, or CACHE while there is no catalog.
        if let path = status?.cache.path {
            options += ["--cache", path.firstRange(of: "/catalogs/").map { String(path[..<$0.lowerBound]) } ?? path]
        }
        return options
    }

    /// The message for a subcommand that printed no report.
    /// - Parameter code: its exit code, or 128 plus the number of the signal that ended it.
    static func unreported(_ subcommand: String, _ code: Int32) -> String {
        code > 128
            ? "\"promod \(subcommand)\" was ended by the signal \(code - 128)."
            : "\"promod \(subcommand)\" exited with \(code). Do promod and promoctl have the same version?"
    }

    private static func unstartable(_ error: Subprocess.Failure) -> Failure {
        Failure(.unreachable, "\(error). promod must be installed beside promoctl, or be on the PATH.")
    }

    /// The program beside this one, else the one on the `PATH`.
    private static var path: String {
        guard let own = try? String(resolving: "/proc/self/exe") else { return "promod" }
        let beside = own.directory + "/promod"
        return FileSystem.access(beside, X_OK) == 0 ? beside : "promod"
    }
}
