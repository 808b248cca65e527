import ArgumentParser
import CrossPromoKit
import PromoWire

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Flag(help: "Print the result of the protocol as one line of JSON.")
    var json = false

    @Option(
        help: ArgumentHelp("Where promod listens, instead of the path that the environment names.", valueName: "path"),
        completion: .file())
    var socket: String?

    var client: DaemonClient { DaemonClient(socketPath: socket) }

    /// promod's status.
    func status() throws -> StatusResult {
        try ask(.status) { json throws(MalformedResult) in try StatusResult(json) }.result
    }

    /// Sends a request, and reads its result with the given function; the answer keeps the JSON for `--json`.
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

    /// Sends a request; if promod does not know an app in it, the error suggests the app that was probably meant.
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
    /// The apps that must be in the catalog.
    fileprivate var apps: [String] {
        switch self {
        case .tap(let parameters): [parameters.app]
        case .impression(let parameters): parameters.apps
        default: []
        }
    }
}

/// A result, as JSON and as a value.
struct Answer<Result> {
    let json: JSONValue
    let result: Result
}
