import CrossPromoKit
import PromoWire

/// The list as `promoctl list` and `promoctl setup` show it.
struct ListReport {
    var client: DaemonClient
    var host: String?
    var language: String?
    var limit: Int?
    var isJSON: Bool

    /// Requests the list, shows it, and returns promod's answer.
    func show() throws -> JSONValue {
        let taglines = isJSON ? language.map(TaglineLanguage.init) ?? .one(.ofProcess) : .all
        var answer = try ask(taglines, limit: limit)
        if !isJSON, limit != nil, answer["hostKnown"]?.boolean == false {
            // The nearest name is looked for among all apps.
            answer = try ask(taglines, limit: nil)
        }
        if isJSON {
            try Output.json(answer)
        } else {
            // A command runs on the main thread.
            try MainActor.assumeIsolated { try draw(answer) }
        }
        return answer
    }

    private func ask(_ language: TaglineLanguage, limit: Int?) throws -> JSONValue {
        var parameters = ListParameters(host: host, language: language, limit: limit)
        let answer = try client.ask(.list(parameters))
        guard answer["state"]?.isString(Freshness.State.loading.rawValue) == true else { return answer }
        parameters.wait = true
        return try Progress.during("The first fetch is under way") {
            try client.ask(.list(parameters), timeout: DaemonClient.fetchTimeout)
        }
    }

    @MainActor
    private func draw(_ answer: JSONValue) throws {
        var view = MoreAppsView(config: PromoConfig(currentAppID: host ?? "", language: language))
        view.retryTitle = "Try Again: promoctl refresh"
        view.limit = limit
        try view.service.take(answer)
        let terminal = Terminal.standardOutput
        if terminal.isTerminal { return try Output.text(view.draw(on: terminal)) }
        try Output.lines(view.content.rows(on: terminal))
        for notice in view.content.notices(now: .now) { Output.note(notice.text.printable) }
    }
}
