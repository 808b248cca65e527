import ArgumentParser
import CrossPromoKit
import PromoWire

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the apps that an app may promote, \"More Apps\".",
        discussion: """
            A row an app: icon, name, category, tagline. The icon is the app's initials on a tile, for icons are pictures on \
            the web. The tagline comes in the language of LC_ALL, LC_MESSAGES or LANG; English, Korean and Japanese are known.

            Where the first fetch is under way, the command waits for it. What is to be said about the list (that it is old, \
            that it is the sample, that the host is not known) stands below it on a terminal, and on standard error elsewhere.
            """)

    @OptionGroup var host: HostOption

    @Option(help: ArgumentHelp("The language of the taglines, such as ko or ja_JP.UTF-8.", valueName: "tag"))
    var language: String?

    @Option(help: ArgumentHelp("Show the first so many.", valueName: "count"))
    var limit: Int?

    @Flag(help: "Tell promod that the rows were seen.")
    var impressions = false

    @OptionGroup var options: CommonOptions

    func validate() throws {
        guard limit ?? 1 >= 1 else { throw ValidationError("--limit takes a number of 1 or more.") }
    }

    @MainActor
    func run() async throws {
        if options.json { return try printResult() }
        let config = PromoConfig(currentAppID: host.host ?? "", socketPath: options.socket, language: language)
        let service = PromoService(config: config, follows: false)
        await service.loadApps()
        if let error = service.error { throw error }
        try show(service)
        guard impressions else { return }
        for app in service.apps.prefix(limit ?? .max) { service.handleAppImpression(app) }
        await service.finishImpressions()
    }

    @MainActor
    private func show(_ service: PromoService) throws {
        var view = MoreAppsView(service: service)
        view.retryTitle = "Try Again: promoctl refresh"
        var content = view.content
        content.apps = Array(content.apps.prefix(limit ?? .max))
        let terminal = Terminal.standardOutput
        if terminal.isTerminal {
            return try Output.lines(content.lines(on: terminal, now: .now))
        }
        try Output.lines(content.rows(on: terminal))
        for notice in content.notices(now: .now) { Output.note(notice.text.printable) }
    }

    private func printResult() throws {
        var parameters = ListParameters(
            host: host.host, language: language.map(TaglineLanguage.init) ?? .one(.ofProcess), limit: limit)
        var answer = try options.client.ask(.list(parameters))
        if answer["state"]?.isString(Freshness.State.loading.rawValue) == true {
            parameters.wait = true
            answer = try Progress.during("The first fetch is under way") {
                try options.client.ask(.list(parameters), timeout: DaemonClient.fetchTimeout)
            }
        }
        try Output.json(answer)
        if impressions, let ids = answer["apps"]?.elements.compactMap({ $0["id"]?.string }), !ids.isEmpty {
            _ = try options.client.ask(.impression(ImpressionParameters(apps: ids, host: host.host)))
        }
    }
}
