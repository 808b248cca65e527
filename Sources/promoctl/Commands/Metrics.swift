import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

struct Metrics: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print metrics about promod for Prometheus.",
        discussion: """
            Every metric has the label "user". If promod cannot be reached, the only one is "promod_up" with the value 0, and \
            the exit code is 69. The package's examples have a timer that writes those of all users for node_exporter.

            Example: promoctl metrics
            """)

    @OptionGroup var daemon: SocketOption

    func run() throws {
        do {
            try write(daemon.client.ask(.status, reading: StatusResult.init))
        } catch let error as PromoError {
            try write(nil)
            throw error
        }
    }

    private func write(_ status: StatusResult?) throws {
        try Output.bytes(Figures(status, user: UserName.current, now: .now).bytes)
    }
}
