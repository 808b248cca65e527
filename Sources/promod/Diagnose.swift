import ArgumentParser
import PromoDaemon
import PromoWire

struct Diagnose: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Check what the daemon depends on: configuration, proxies, the catalog, disk and clock.",
        discussion: """
            Checks everything itself, with a fetch of its own, and changes nothing. "promoctl doctor" shows the same, but \
            the directories as the running daemon sees them, and checks the socket, the units and that daemon too.

            Exit codes: 0 if nothing is bad, 1 if something is, 74 if the output cannot be written.

            Example: promod diagnose
            """)

    @Option(
        help: ArgumentHelp(
            "The user's configuration file, instead of the one that this environment names.", valueName: "path"),
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
        let disks = DirectoryCheck(.ofProcess, cache: cache).disks
        let checks = SelfCheck(loader: try .ofProcess(userFile: file), disks: disks).diagnoses()
        if json {
            try StandardOutput.write(json: { DiagnoseResult(checks).write(to: &$0) })
        } else {
            try StandardOutput.write(
                lines: checks.map { "\($0.verdict.rawValue): \($0.subject): \($0.text)" })
        }
        if checks.contains(where: { $0.verdict == .bad }) { throw ArgumentParser.ExitCode(1) }
    }
}
