import ArgumentParser
import CrossPromoKit
import PromoWire

struct Metrics: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print figures about promod in the format of OpenMetrics, which Prometheus reads.",
        discussion: """
            With --output it replaces a file in one step, for the textfile collector of Prometheus' node_exporter; a timer for \
            that is in the examples of the package. If promod cannot be reached, the only figure is "promod_up 0", and the \
            exit code is 69.

            Example: promoctl metrics --output /var/lib/prometheus/node-exporter/promod.prom
            """)

    @Option(
        help: ArgumentHelp("Replace this file in one step, instead of printing the figures.", valueName: "file"),
        completion: .file(extensions: ["prom"]))
    var output: String?

    @OptionGroup var daemon: SocketOption

    func run() throws {
        do {
            let json = try daemon.client.ask(.status)
            guard let status = try? StatusResult(json) else {
                throw PromoError(.badReply, message: "promod's status has another form than this promoctl knows.")
            }
            try Output.bytes(OpenMetrics(status, now: .now).bytes, to: output)
        } catch let error as PromoError {
            try Output.bytes(OpenMetrics(nil, now: .now).bytes, to: output)
            throw error
        }
    }
}
