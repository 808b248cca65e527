import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

/// Where promod is.
struct SocketOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Where promod listens, instead of the path that the environment names.", valueName: "path"),
        completion: .file())
    var socket: String?

    var client: DaemonClient { DaemonClient(socketPath: socket) }
}

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Flag(help: "Print the result of the protocol as one line of JSON.")
    var json = false

    @OptionGroup var daemon: SocketOption

    var client: DaemonClient { daemon.client }

    /// promod's status.
    func status() throws -> StatusResult {
        try ask(.status, as: StatusResult.self).result
    }

    /// promod's status, with the state of that catalog in the place of the default one's.
    /// - Throws: `refused` if there is no such catalog, even after promod has looked for new ones.
    func status(of catalog: CatalogReference?) throws -> StatusResult {
        if let status = try status().about(catalog) { return status }
        _ = try client.ask(.list(ListParameters(limit: 1)), of: catalog)
        return try status().about(catalog) ?? status()
    }

    /// The same for a command that shows it; nil if its JSON was printed instead.
    func statusToShow(of catalog: CatalogReference?) throws -> StatusResult? {
        guard json else { return try status(of: catalog) }
        // Only the name of a catalog can be wrong.
        if catalog != nil { _ = try status(of: catalog) }
        try Output.json(client.ask(.status))
        return nil
    }

    /// Why there is no catalog; the exit code says whether promod tries again by itself.
    func noCatalog(_ catalog: CatalogReference?) throws -> Failure {
        let status = try status(of: catalog)
        if let error = status.configuration.error {
            return Failure(
                .no, "There is no catalog, and nothing is fetched while the configuration is broken: \(error.sentence)")
        }
        if status.freshness.isUnconfigured {
            return Failure(.no, reason: ErrorReason.noCatalog.rawValue, Unconfigured.text)
        }
        let problems = [status.cache.error, status.refresh.lastError?.message].compactMap(\.self)
        let reason =
            problems.isEmpty ? "There is no catalog." : "There is no catalog: \(problems.joined(separator: " "))"
        guard let nextAt = status.refresh.nextAt else { return Failure(.no, reason) }
        let command = "promoctl refresh" + (catalog.map { " --catalog \($0.text)" } ?? "")
        return Failure(
            .tryLater,
            "\(reason) promod tries again at \(LocalTime.short(nextAt, now: .now)); to try now: \(command)"
        )
    }

    /// Sends a request, and reads its result; the answer keeps the JSON for `--json`.
    func ask<Result: MethodResult>(
        _ method: Request.Method, of catalog: CatalogReference? = nil, timeout: Duration? = nil, as type: Result.Type
    ) throws -> Answer<Result> {
        let json = try answer(to: method, of: catalog, timeout: timeout)
        return Answer(json: json, result: try json.read(Result.init))
    }

    /// Sends a request, and prints its result: the JSON with `--json`, else a text for people.
    @discardableResult
    func show<Result: MethodResult>(
        _ method: Request.Method, of catalog: CatalogOption? = nil, as type: Result.Type,
        telling text: (Result) -> String
    ) throws -> Result {
        let answer = try ask(method, of: catalog?.reference, as: type)
        if json { try Output.json(answer.json) } else { try Output.line(text(answer.result).printable) }
        return answer.result
    }

    private func answer(
        to method: Request.Method, of catalog: CatalogReference?, timeout: Duration?
    ) throws(PromoError) -> JSONValue {
        do {
            return try client.ask(method, of: catalog, timeout: timeout)
        } catch {
            // Nothing changes by itself, so this is not one to try again later.
            guard error.reason == ErrorReason.noCatalog.rawValue,
                (try? status(of: catalog))?.freshness.isUnconfigured == true
            else { throw error }
            throw PromoError(.notConfigured, reason: error.reason, message: error.message)
        }
    }
}

extension DaemonClient {
    /// What promod says of an app that a list does not know as its host; nil if the list knows it.
    func problem(with app: String, unknownTo list: JSONValue, of catalog: CatalogReference?) -> String? {
        guard list["hostKnown"]?.boolean == false else { return nil }
        do {
            _ = try ask(.command(.icon(app: app)), of: catalog)
            return nil
        } catch {
            return error.reason == ErrorReason.unknownApp.rawValue ? error.message : nil
        }
    }
}

/// A result, as JSON and as a value.
struct Answer<Result> {
    let json: JSONValue
    let result: Result
}
