import ArgumentParser
import CrossPromoKit
import Glibc
import PromoSystem

struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a catalog before it is published.",
        discussion: """
            The catalog is a JSON file, an https address, or - for standard input.

            Runs "promod validate" with the same arguments; "promod validate --help" describes them, and the exit codes.

            Example: promoctl validate --strict catalog.json
            """)

    @Argument(
        parsing: .captureForPassthrough, help: "What to check, and options.", completion: .file(extensions: ["json"]))
    var arguments: [String] = []

    func run() throws {
        let code: Int32
        do {
            code = try Subprocess([Self.promod, "validate"] + arguments, output: .inherited).wait() ?? EX_SOFTWARE
        } catch {
            throw Failure(.unreachable, "\(error). promod must be installed beside promoctl, or be on the PATH.")
        }
        guard code == 0 else { throw Failure(code: code) }
    }

    /// The program beside this one, else the one on the `PATH`.
    private static var promod: String {
        guard let own = try? String(resolving: "/proc/self/exe") else { return "promod" }
        let beside = own.directory + "/promod"
        return FileSystem.access(beside, X_OK) == 0 ? beside : "promod"
    }
}
