import ArgumentParser
import CrossPromoKit
import PromoProcess
import PromoWire

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Flag(help: "Print the result of the protocol as one line of JSON.")
    var json = false

    @OptionGroup var daemon: SocketOption

    var client: DaemonClient { daemon.client }

    /// promod's status.
    func status() throws -> StatusResult {
        try ask(.status) { json throws(MalformedResult) in try StatusResult(json) }.result
    }

    /// promod's status, with the state of that catalog in the place of the default one's.
    /// - Throws: `refused` if there is no such catalog, even after promod has looked for new ones.
    func status(of catalog: CatalogReference?) throws -> StatusResult {
        if let status = try status().about(catalog) { return status }
        _ = try client.ask(.list(ListParameters(limit: 1, catalog: catalog)))
        return try status().about(catalog) ?? status()
    }

    /// Why there is no catalog; the exit code says whether promod tries again by itself.
    func noCatalog(_ catalog: CatalogReference?) throws -> Failure {
        let status = try status(of: catalog)
        if let error = status.configuration.error {
            return Failure(
                .no, "There is no catalog, and nothing is fetched while the configuration is broken: \(error.sentence)")
        }
        if status.freshness.isUnconfigured {
            return Failure(.no, reason: ErrorReason.noCatalog.rawValue, status.unconfigured)
        }
        let problems = [status.cache.error, status.refresh.lastError?.message].compactMap(\.self)
        let reason =
            problems.isEmpty ? "There is no catalog." : "There is no catalog: \(problems.joined(separator: " "))"
        guard let nextAt = status.refresh.nextAt else { return Failure(.no, reason) }
        return Failure(.tryLater, "\(reason) promod tries again at \(LocalTime.short(nextAt, now: .now)).")
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
            // Nothing changes by itself, so this is not one to try again later.
            if error.reason == ErrorReason.noCatalog.rawValue,
                (try? status(of: request.catalog))?.freshness.isUnconfigured == true
            {
                throw PromoError(.notConfigured, reason: error.reason, message: error.message)
            }
            guard error.reason == ErrorReason.unknownApp.rawValue else { throw error }
            let known = AppArgument.known(to: client, in: request.catalog)
            guard let unknown = request.apps.first(where: { !known.contains($0) }),
                let meant = nearestWord(to: unknown, among: known, within: 3)
            else { throw error }
            throw PromoError(error.code, reason: error.reason, message: "\(error.message) Did you mean \"\(meant)\"?")
        }
    }
}

extension Request {
    /// The apps that must be in the catalog.
    fileprivate var apps: [String] {
        switch self {
        case .tap(let parameters): [parameters.app]
        case .impression(let parameters): parameters.apps
        case .hide(let parameters): [parameters.app]
        default: []
        }
    }
}

extension StatusResult {
    /// What to say where no catalog is configured.
    var unconfigured: String { Unconfigured.text(hasOthers: catalogs.count > 1) }
}

/// A result, as JSON and as a value.
struct Answer<Result> {
    let json: JSONValue
    let result: Result
}
