import ArgumentParser
import CrossPromoKit
import FoundationEssentials
import PromoWire

struct Page: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the apps that an app may promote as a web page.",
        discussion: """
            The page is self-contained: icons inlined, no network, no scripts. Icons that are missing are fetched first, for up \
            to 10 seconds; an app without one has a tile. With a file, it previews that catalog, with icons from their \
            addresses.

            Exit codes: those of list; 65 or 66 for a bad file.

            Example: promoctl page --host finebill --output more-apps.html
            """)

    /// How long icons are waited for.
    private static let patience = Duration.seconds(10)

    @Argument(
        help: ArgumentHelp("A catalog to preview, before it is published.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var file: String?

    @OptionGroup var selection: SelectionOptions

    @Option(
        help: ArgumentHelp("Replace this file in one step, instead of printing the page.", valueName: "file"),
        completion: .file(extensions: ["html"]))
    var output: String?

    @OptionGroup var options: CommonOptions

    func run() throws {
        if let file {
            let apps = try DaemonProgram.serving(file) { try list(of: $0).apps }
            return try write(apps.map { MoreAppsPage.App($0, picture: nil) }, isPreview: true)
        }
        let client = options.client
        let catalog = selection.catalog.reference
        let listing = try list(of: client)
        if listing.freshness.state == .empty || listing.freshness.state == .loading {
            throw try options.noCatalog(catalog)
        }
        let end = SuspendingClock.now + Self.patience
        let apps = Progress.during("Icons are being fetched") {
            // An app whose turn comes too late has a tile.
            listing.apps.map { MoreAppsPage.App($0, picture: client.icon(of: $0.id, catalog, until: end)?.checked) }
        }
        try write(apps, isSample: listing.freshness.source == .sample)
    }

    private func list(of client: DaemonClient) throws -> ListResult {
        try client.list(selection.parameters(.all), of: selection.catalog.reference).read(ListResult.init)
    }

    private func write(_ apps: [MoreAppsPage.App], isSample: Bool = false, isPreview: Bool = false) throws {
        let language = selection.language.map { Language(tag: $0) } ?? .ofProcess
        let page = MoreAppsPage(apps, in: language, isSample: isSample, isPreview: isPreview).html
        try Output.bytes(page, to: output)
    }
}

extension IconResult {
    /// What the page takes into its markup; nil if there is no picture.
    fileprivate var checked: MoreAppsPage.Picture? {
        guard let mediaType, let base64 = data?.bytes, Data(base64Encoded: Data(base64)) != nil else { return nil }
        return (mediaType, base64)
    }
}
