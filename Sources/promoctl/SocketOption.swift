import ArgumentParser
import CrossPromoKit

/// Where promod is.
struct SocketOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Where promod listens, instead of the path that the environment names.", valueName: "path"),
        completion: .file())
    var socket: String?

    var client: DaemonClient { DaemonClient(socketPath: socket) }
}
