import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

struct Metrics: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print metrics about promod for Prometheus.",
        discussion: """
            Every metric has the label "user", so that those of many users on one machine stay apart. If promod cannot be \
            reached, the only metric is "promod_up" with the value 0, and the exit code is 69.

            --textfile is for node_exporter's textfile collector; the package's examples have a timer for it. The file of a \
            user who has logged out stays as it was, and node_textfile_mtime_seconds tells its age.

            Example: promoctl metrics --textfile /var/lib/prometheus/node-exporter
            """)

    @Option(
        help: ArgumentHelp(
            "Replace the file promod-USER.prom in this directory, in one step.", valueName: "directory"),
        completion: .directory)
    var textfile: String?

    @OptionGroup var daemon: SocketOption

    func validate() throws {
        guard textfile != "" else { throw ValidationError("--textfile is empty; name a directory.") }
    }

    func run() throws {
        do {
            try write(daemon.client.ask(.status, reading: StatusResult.init))
        } catch let error as PromoError {
            try write(nil)
            throw error
        }
    }

    private func write(_ status: StatusResult?) throws {
        let user = UserName.current
        let figures = Figures(status, user: user)
        let file = textfile.map { "\($0)/promod-\(user.filter { $0 != "/" }).prom" }
        // node_exporter is another user.
        try Output.bytes(figures.bytes, to: file, replacingAnythingWith: 0o644)
    }
}
