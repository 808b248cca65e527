import ArgumentParser
import PromoDaemon
import PromoWire

struct Diagnose: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Check what the daemon depends on: configuration, name look-up, TLS, the catalog, proxies, disk and clock.",
        discussion: """
            Looks at everything anew, with a fetch of its own, and changes nothing. "promoctl doctor" shows the same together \
            with the socket, the units and the running daemon.

            Exit codes: 0 if nothing is bad, else 1.

            Example: promod diagnose
            """)

    @Option(
        help: ArgumentHelp("The user's file, in place of the one in this environment.", valueName: "path"),
        completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp(
            "Where the daemon keeps its cache, in place of where this environment says.", valueName: "path"),
        completion: .directory)
    var cache: String?

    @Flag(help: "Print what was found as one line of JSON.")
    var json = false

    func run() throws {
        ProcessSetup.endWithParent()
        let checks = SelfCheck(
            loader: try ConfigurationLoader.ofProcess(userFile: file), directories: .ofProcess, cache: cache
        ).diagnoses()
        if json {
            var writer = JSONWriter()
            checks.write(to: &writer)
            print(String(decoding: writer.bytes, as: UTF8.self))
        } else {
            for check in checks { print("\(check.verdict.rawValue): \(check.subject): \(check.text)".printable) }
        }
        if checks.contains(where: { $0.verdict == .bad }) { throw ArgumentParser.ExitCode(1) }
    }
}
