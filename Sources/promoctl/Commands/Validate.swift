import ArgumentParser
import CrossPromoKit
import Glibc
import PromoSystem

struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a catalog before it is published.",
        discussion: """
            Runs "promod validate" with the same arguments; "promod validate --help" describes them, and the exit codes.

            Example: promoctl validate --strict catalog.json
            """)

    @Argument(
        parsing: .captureForPassthrough, help: "A JSON file, an https address, or - for standard input; and options.",
        completion: .file(extensions: ["json"]))
    var arguments: [String] = []

    func run() throws {
        let code = try DaemonProgram.start(["validate"] + arguments, output: .inherited).wait() ?? EX_SOFTWARE
        guard code == 0 else { throw CommandFailure(code: code) }
    }
}
