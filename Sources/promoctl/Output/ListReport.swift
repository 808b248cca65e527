import CrossPromoKit
import PromoSystem
import PromoWire

/// The list as `promoctl list` and `promoctl setup` show it.
struct ListReport {
    var client: DaemonClient
    /// Which apps to list.
    var parameters = ListParameters()
    var catalog: CatalogReference?
    /// The language of the taglines; nil for the process's.
    var language: String?
    var isJSON: Bool

    /// Requests the list, shows it, and returns its state.
    @discardableResult
    func show() throws -> Freshness.State? {
        if isJSON {
            let answer = try ask(parameters, language.map { TaglineLanguage(OutsideText($0)) } ?? .one(.ofProcess))
            try Output.json(answer)
            return answer.state
        }
        let terminal = Self.terminal
        var wanted = parameters
        wanted.icons = terminal.hasGraphics
        let answer = try ask(wanted, .all)
        // Without a catalog, the command says why, and how to get one.
        guard answer.state != .empty else { return .empty }
        if let host = parameters.host,
            let problem = client.problem(with: host, unknownTo: answer, of: catalog)
        {
            Output.note("promoctl: \(problem.printable) No rule limits the list.")
        }
        try draw(answer.read(ListResult.init), on: terminal)
        return answer.state
    }

    /// The terminal is asked once, for however many lists.
    private static let terminal = Terminal.standardOutput.askedForGraphics()

    private func ask(_ parameters: ListParameters, _ language: TaglineLanguage) throws -> JSONValue {
        var parameters = parameters
        parameters.language = language
        return try client.list(parameters, of: catalog)
    }

    private func draw(_ listing: ListResult, on terminal: Terminal) throws {
        var content = try MoreAppsContent(listing)
        content.language = language.map { Language(tag: $0) } ?? .ofProcess
        content.showsIDs = terminal.isTerminal
        if terminal.hasGraphics {
            content.pictures = Progress.during("Icons are being fetched") {
                client.pictures(of: content.apps, catalog: catalog)
            }
        }
        if terminal.isTerminal || terminal.hasGraphics {
            return try Output.lines(content.lines(on: terminal, now: .now))
        }
        try Output.lines(content.rows(on: terminal))
        for notice in content.notices(now: .now) { Output.note(notice.text.printable) }
    }
}

extension DaemonClient {
    /// The list, after the first fetch if it is under way.
    func list(_ parameters: ListParameters, of catalog: CatalogReference?) throws -> JSONValue {
        let answer = try ask(.list(parameters), of: catalog)
        guard answer.state == .loading else { return answer }
        var parameters = parameters
        parameters.wait = true
        return try Progress.during("The first fetch is under way") {
            try ask(.list(parameters), of: catalog, timeout: Self.fetchTimeout)
        }
    }
}

extension JSONValue {
    /// The state in the result of `list`.
    var state: Freshness.State? { self["state"]?.word() }
}
