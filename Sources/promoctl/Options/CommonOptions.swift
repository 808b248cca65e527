import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

/// Where promod is.
struct SocketOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The path of promod's socket.", valueName: "path"),
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

    /// promod's status; if a catalog is named, with that one alone.
    func status(of reference: CatalogReference? = nil) throws -> StatusResult {
        try ask(.status, of: reference, as: StatusResult.self).result
    }

    /// The status of a catalog; nil if promod does not keep it, or has not read its drop-in yet.
    func kept(_ reference: CatalogReference?) throws -> CatalogStatus? {
        do {
            return try status(of: reference).catalogs.first
        } catch let error as PromoError where error.code == .unknownCatalog {
            return nil
        }
    }

    /// Why there is no catalog; the exit code says whether promod tries again by itself.
    func noCatalog(_ reference: CatalogReference?) throws -> CommandFailure {
        let status = try status(of: reference)
        guard let catalog = status.catalogs.first else {
            let broken = status.problems.first { $0.code == .configuration }
            return CommandFailure(
                .no, reason: ErrorReason.noCatalog.rawValue,
                broken.map { "There is no catalog. \(Finding($0).line)" } ?? Unconfigured.text)
        }
        let reasons = status.problems(of: catalog).map { " \($0.text)" }.joined()
        guard let nextAt = catalog.nextAt else { return CommandFailure(.no, "There is no catalog.\(reasons)") }
        let command = "promoctl refresh" + (reference.map { " --catalog \($0.text)" } ?? "")
        return CommandFailure(
            .tryLater,
            "There is no catalog.\(reasons) promod tries again at \(LocalTime.short(nextAt, now: .now)); to try now: \(command)"
        )
    }

    /// What promod advises about a failure, behind a blank; empty if it has no such problem any more.
    func advice(on failure: Failure, of catalog: CatalogReference?) throws -> String {
        try status(of: catalog).problems.first { $0.code == failure.code }.map { " \($0.advice)" } ?? ""
    }

    /// Sends a request, and reads its result; the answer keeps the JSON for `--json`.
    func ask<Result: MethodResult>(
        _ method: Request.Method, of catalog: CatalogReference? = nil, timeout: Duration? = nil, as type: Result.Type
    ) throws -> Answer<Result> {
        let json = try answer(to: method, of: catalog, timeout: timeout)
        return Answer(json: json, result: try json.read(Result.init))
    }

    /// Has promod fetch a catalog, and waits for the outcome; over a slow line promod answers before.
    func refresh(_ catalog: CatalogReference?) throws -> Answer<RefreshResult> {
        while true {
            let answer = try ask(
                .command(.refresh(RefreshParameters())), of: catalog, timeout: DaemonClient.fetchTimeout,
                as: RefreshResult.self)
            if answer.result.outcome != .started { return answer }
        }
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
                (try? client.ask(.status, reading: StatusResult.init))?.catalogs.isEmpty == true
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

/// The id of an app in the catalog.
struct AppArgument: ParsableArguments {
    @Argument(help: "The app's id.")
    var app: String
}

/// The app that shows the others.
struct HostOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "ID of the app showing the list.", valueName: "id"))
    var host: String?

    func validate() throws {
        // An unset variable in a script must not mean "no host".
        guard host != "" else { throw ValidationError("--host is empty; leave it out for no host.") }
    }
}

/// The catalog that a command is about.
struct CatalogOption: ParsableArguments {
    @Option(help: ArgumentHelp("The catalog, by its name or address.", valueName: "name"))
    var catalog: String?

    /// The catalog for a request; nil for the default one.
    var reference: CatalogReference? { catalog.flatMap(CatalogReference.init) }

    /// A command with the option, for advice.
    func command(_ command: String) -> String {
        "promoctl \(command)" + (catalog.map { " --catalog \($0)" } ?? "")
    }

    func validate() throws {
        guard let catalog, reference == nil else { return }
        throw ValidationError(
            "--catalog takes a catalog's name (\(CatalogReference.nameForm)) or its https address, not \"\(catalog.elided().printable)\"\(AppID.hint(OutsideText(catalog))); \"promoctl status\" lists the catalogs."
        )
    }
}

/// Which apps are shown, and in which language.
struct SelectionOptions: ParsableArguments {
    @OptionGroup var host: HostOption

    @Option(
        help: ArgumentHelp("The language of the taglines, such as ko.", valueName: "tag"),
        completion: .list(Language.allCases.map(\.rawValue)))
    var language: String?

    @Option(help: ArgumentHelp("Show at most this many apps.", valueName: "count"))
    var limit: Int?

    @Flag(help: "Leave out the apps whose first launch is recorded.")
    var unlaunched = false

    @OptionGroup var catalog: CatalogOption

    func validate() throws {
        guard limit ?? 1 >= 1 else { throw ValidationError("--limit must be 1 or more.") }
    }

    /// The parameters of the list.
    func parameters(_ language: TaglineLanguage) -> ListParameters {
        ListParameters(host: host.host, language: language, limit: limit, unlaunched: unlaunched)
    }
}

extension Duration {
    /// Reads the value of an option.
    init(_ text: String, of option: String) throws(ValidationError) {
        guard let duration = Duration(configured: text) else {
            throw ValidationError("\(option) takes \(Self.form), not \"\(text.elided().printable)\".")
        }
        self = duration
    }
}
