import ArgumentParser
import PromoDaemon
import PromoWire

struct Diagnose: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Check what the daemon depends on: configuration, name look-up, TLS, the catalog, proxies, disk and clock.",
        discussion: """
            Checks everything itself, with a fetch of its own, and changes nothing. "promoctl doctor" shows the same, and \
            checks the socket, the units and the running daemon too.

            Exit codes: 0 if nothing is bad, else 1.

            Example: promod diagnose
            """)

    @Option(
        help: ArgumentHelp("The user's file, instead of the one that this environment names.", valueName: "path"),
        completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp(
            "The daemon's cache directory, instead of the one that this environment names.", valueName: "path"),
        completion: .directory)
    var cache: String?

    @Flag(help: "Print the findings as one line of JSON.")
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
