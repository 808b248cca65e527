import ArgumentParser
import CrossPromoKit
import PromoProcess
import PromoWire

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the apps that an app may promote, \"More Apps\".",
        discussion: """
            Prints one row per app: icon, name, category, tagline. The icon is a tile with the app's initials, or the picture \
            on a terminal that speaks the kitty graphics protocol, which is asked; promod fetches pictures only for clients that \
            show them, and the first time the command waits up to 3 seconds for them. Only PNG is drawn. The tagline is in the \
            language of LC_ALL, LC_MESSAGES or LANG; English, Korean and Japanese are known.

            If the first fetch is under way, the command waits for it. Notices about the list (it is old, it is the sample, the \
            host is not known) appear below it on a terminal, else on standard error.

            Exits with 0 if there is a list, even an empty one. If there is no catalog, exits with 75 if promod tries again by \
            itself, and with 1 if it does not.

            Example: promoctl list --host finebill --language ko --limit 3
            """)

    @OptionGroup var selection: SelectionOptions

    @Option(
        help: ArgumentHelp(
            "Draw pictures on a terminal that can, after asking it (auto), or unasked (always), or never.",
            valueName: "when"))
    var icons = IconChoice.auto

    @Flag(help: "Report to promod that the rows were seen.")
    var impressions = false

    @OptionGroup var options: CommonOptions

    func run() throws {
        let report = ListReport(
            client: options.client, parameters: selection.parameters(.all), language: selection.language,
            icons: icons, isJSON: options.json)
        let answer = try report.show()
        if answer["state"]?.isString(Freshness.State.empty.rawValue) == true {
            throw try options.noCatalog(selection.catalog.reference)
        }
        guard impressions else { return }
        let apps = answer["apps"]?.elements.compactMap { $0["id"].flatMap(AppID.id(in:)) } ?? []
        let ids = apps.prefix(selection.limit ?? apps.count)
        for start in stride(from: 0, to: ids.count, by: ImpressionParameters.maximumApps) {
            let apps = Array(ids[start...].prefix(ImpressionParameters.maximumApps))
            _ = try options.client.ask(
                .impression(
                    ImpressionParameters(
                        apps: apps, host: selection.host.host, catalog: selection.catalog.reference)))
        }
    }
}

/// Whether pictures are drawn.
enum IconChoice: String, ExpressibleByArgument, CaseIterable {
    case never, auto, always
}
