import CrossPromoKit
import Glibc
import PromoWire

/// The daemon's program, which has TLS, the catalog's rules and the configuration's, and which this has not.
enum DaemonProgram {
    /// Runs it to its end, with this process's input and outputs; the exit code.
    static func run(_ arguments: [String]) throws(Failure) -> Int32 {
        do {
            return try Subprocess([path] + arguments, output: .inherited).wait() ?? EX_SOFTWARE
        } catch {
            throw unstartable(error)
        }
    }

    /// Runs it to its end with a line as its input; what it printed, and the exit code.
    static func run(_ arguments: [String], input: String) throws(Failure) -> (output: [UInt8], code: Int32) {
        do {
            let (output, code) = try Subprocess.run([path] + arguments, input: input)
            return (output, code ?? EX_SOFTWARE)
        } catch {
            throw unstartable(error)
        }
    }

    /// The options that name the file and the cache that the running promod has: it need not share this shell's variables.
    static func places(_ status: StatusResult?) -> [String] {
        var options: [String] = []
        if let file = status?.process.configurationPath { options += ["--file", file] }
        if let path = status?.cache.path, let slash = path.lastIndex(of: "/") {
            options += ["--cache", String(path[..<slash])]
        }
        return options
    }

    private static func unstartable(_ error: Subprocess.Failure) -> Failure {
        Failure(.unreachable, "\(error). promod has to be installed beside promoctl, or to be on the PATH.")
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
