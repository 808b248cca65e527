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

    /// What promod says of itself.
    func status() throws -> StatusResult {
        try ask(.status) { json throws(MalformedResult) in try StatusResult(json) }.result
    }

    /// Asks promod, and reads the result with the initialiser given; what came is kept for `--json`.
    func ask<Result>(
        _ request: Request, timeout: Duration? = nil, reading read: (JSONValue) throws(MalformedResult) -> Result
    ) throws -> Answer<Result> {
        let json = try answer(to: request, timeout: timeout)
        do {
            return Answer(json: json, result: try read(json))
        } catch {
            throw PromoError.badReply(error)
        }
    }

    /// Asks promod, and adds to the refusal of an app the one that was probably meant.
    private func answer(to request: Request, timeout: Duration?) throws(PromoError) -> JSONValue {
        do {
            return try client.ask(request, timeout: timeout)
        } catch {
            guard error.reason == ErrorReason.unknownApp.rawValue else { throw error }
            let known = AppArgument.known(to: client)
            guard let unknown = request.apps.first(where: { !known.contains($0) }),
                let meant = nearestWord(to: unknown, among: known, within: 3)
            else { throw error }
            throw PromoError(error.code, reason: error.reason, "\(error.message) Did you mean \"\(meant)\"?")
        }
    }
}

extension Request {
    /// The apps that have to be in the catalog.
    fileprivate var apps: [String] {
        switch self {
        case .tap(let parameters): [parameters.app]
        case .impression(let parameters): parameters.apps
        default: []
        }
    }
}

/// A result, as it came and as it was understood.
struct Answer<Result> {
    let json: JSONValue
    let result: Result
}
