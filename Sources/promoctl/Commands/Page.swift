import ArgumentParser
import CrossPromoKit
import FoundationEssentials
import PromoWire

struct Page: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the apps that an app may promote as a web page.",
        discussion: """
            The page needs nothing else: its icons are in it, it fetches nothing, and it has no script. It is light or dark as \
            the person prefers. It is for a web view in a graphical app, or for a look at the list in a browser.

            Icons that are missing or old are fetched first, for up to 10 seconds, and read for up to 10 more; an app without \
            one has a tile with its first letter. Exits with 0 if there is a list, even an empty one. If there is no catalog, \
            nothing is written, and it exits with 75 if promod tries again by itself, and with 1 if it does not.

            Example: promoctl page --host finebill --output more-apps.html
            """)

    /// How long icons are waited for that are not there yet.
    private static let patience = Duration.seconds(10)

    @OptionGroup var selection: SelectionOptions

    @Option(
        help: ArgumentHelp("Replace this file in one step, instead of printing the page.", valueName: "file"),
        completion: .file(extensions: ["html"]))
    var output: String?

    @OptionGroup var options: CommonOptions

    func run() throws {
        let client = options.client
        let listing = try list(client)
        if listing.freshness.state == .empty || listing.freshness.state == .loading {
            throw try options.noCatalog(selection.catalog.reference)
        }
        let end = SuspendingClock.now + Self.patience
        let apps = Progress.during("Icons are being read") {
            // An app whose turn comes too late has a tile.
            listing.apps.map {
                MoreAppsPage.App($0, picture: SuspendingClock.now < end ? picture(of: $0, client) : nil)
            }
        }
        let language = selection.language.map { Language(tag: $0) } ?? .ofProcess
        let page = MoreAppsPage(apps, in: language, isSample: listing.freshness.source == .sample).html
        try Output.bytes(page, to: output)
    }

    private func list(_ client: DaemonClient) throws -> ListResult {
        let catalog = selection.catalog.reference
        var parameters = selection.parameters(.all)
        parameters.icons = true
        let json =
            try client.list(parameters, of: catalog, withIconsWithin: Self.patience)
            ?? client.ask(.list(parameters), of: catalog)
        return try json.read(ListResult.init)
    }

    /// The picture of an app, from promod itself, because a sandbox may hide the file; nil if there is none.
    private func picture(of app: ListResult.App, _ client: DaemonClient) -> MoreAppsPage.Picture? {
        guard app.iconPath != nil else { return nil }
        let icon = Request.Method.command(.icon(app: app.id))
        let sent = try? client.ask(icon, of: selection.catalog.reference, reading: IconResult.init)
        // What the page takes into its markup is checked here.
        guard let sent, let mediaType = sent.mediaType, let base64 = sent.data?.bytes,
            Data(base64Encoded: Data(base64)) != nil
        else { return nil }
        return (mediaType, base64)
    }
}
