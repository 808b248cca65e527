import ArgumentParser
import CrossPromoKit
import PromoWire

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Flag(help: "Print the result of the protocol on one line.")
    var json = false

    @Option(
        help: ArgumentHelp("Where promod listens, in place of what the environment says.", valueName: "path"),
        completion: .file())
    var socket: String?

    var client: DaemonClient { DaemonClient(socketPath: socket) }

    /// Asks promod, and reads the result with the initialiser given; what came is kept for `--json`.
    func ask<Result>(
        _ request: Request, timeout: Duration? = nil, reading read: (JSONValue) throws(MalformedResult) -> Result
    ) throws -> Answer<Result> {
        let json = try client.ask(request, timeout: timeout)
        do {
            return Answer(json: json, result: try read(json))
        } catch {
            throw PromoError.badReply(error)
        }
    }
}

/// A result, as it came and as it was understood.
struct Answer<Result> {
    let json: JSONValue
    let result: Result
}
