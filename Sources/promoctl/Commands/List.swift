import ArgumentParser
import CrossPromoKit
import PromoProcess
import PromoWire

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the apps that an app may promote, \"More Apps\".",
        discussion: """
            Prints one row per app: icon, name, category, tagline. The icon is a tile with the app's initials, because the \
            pictures are on the web. The tagline is in the language of LC_ALL, LC_MESSAGES or LANG; English, Korean and \
            Japanese are known.

            If the first fetch is under way, the command waits for it. Notices about the list (it is old, it is the sample, the \
            host is not known) appear below it on a terminal, else on standard error.

            Exits with 0 if there is a list, even an empty one. If there is no catalog, exits with 75 if promod tries again by \
            itself, and with 1 if it does not.

            Example: promoctl list --host finebill --language ko --limit 3
            """)

    @OptionGroup var host: HostOption

    @Option(
        help: ArgumentHelp("The language of the taglines, such as ko or ja_JP.UTF-8.", valueName: "tag"),
        completion: .list(Language.allCases.map(\.rawValue)))
    var language: String?

    @Option(help: ArgumentHelp("Show at most this many apps.", valueName: "count"))
    var limit: Int?

    @Flag(help: "Report to promod that the rows were seen.")
    var impressions = false

    @OptionGroup var options: CommonOptions

    func validate() throws {
        guard limit ?? 1 >= 1 else { throw ValidationError("--limit must be 1 or more.") }
    }

    func run() throws {
        let report = ListReport(
            client: options.client, host: host.host, language: language, limit: limit, isJSON: options.json)
        let answer = try report.show()
        if answer["state"]?.isString(Freshness.State.empty.rawValue) == true { throw try nothingToShow() }
        guard impressions else { return }
        let apps = answer["apps"]?.elements.compactMap { $0["id"]?.string } ?? []
        let ids = apps.prefix(limit ?? apps.count)
        for start in stride(from: 0, to: ids.count, by: ImpressionParameters.maximumApps) {
            let apps = Array(ids[start...].prefix(ImpressionParameters.maximumApps))
            _ = try options.client.ask(.impression(ImpressionParameters(apps: apps, host: host.host)))
        }
    }

    /// Why there is no catalog; the exit code says whether promod tries again by itself.
    private func nothingToShow() throws -> Failure {
        let status = try options.status()
        let reason = status.refresh.lastError.map { "There is no catalog: \($0.message)" } ?? "There is no catalog."
        guard let nextAt = status.refresh.nextAt else { return Failure(.no, reason) }
        return Failure(.tryLater, "\(reason) promod tries again at \(LocalTime.short(nextAt, now: .now)).")
    }
}
