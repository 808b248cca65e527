import ArgumentParser
import CrossPromoKit
import PromoWire

struct Hide: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Leave an app out of your lists, in every app that shows one.",
        discussion: """
            promod remembers it for you and for this catalog, until "promoctl show" brings the app back. "promoctl list --hidden" \
            shows hidden apps among the others.

            Example: promoctl hide bookary

            Example: promoctl hide --list
            """)

    @Argument(help: "The app's id.", completion: .appIDs)
    var app: String?

    @Flag(help: "List the hidden apps that are in the catalog.")
    var list = false

    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        guard (app == nil) == list else {
            throw ValidationError("Name one app to hide, or give --list alone to see those that are hidden.")
        }
        guard let app else { return try showHidden() }
        try options.show(.command(.hide(app: app)), of: catalog, as: VisibilityResult.self) { result in
            let state = result.hasChanged ? "is hidden from your lists" : "was hidden already"
            return "\(result.app) \(state). \"promoctl show \(result.app)\(catalog.suffix)\" brings it back."
        }
    }

    private func showHidden() throws {
        let parameters = ListParameters(language: .all, hidden: .only)
        let answer = try options.ask(.list(parameters), of: catalog.reference, as: ListResult.self)
        if answer.result.freshness.source == .none { throw try options.noCatalog(catalog.reference) }
        if let problem = try options.status().reviewsError { throw Failure(.refused, problem) }
        if options.json { return try Output.json(answer.json) }
        let apps = answer.result.apps
        guard !apps.isEmpty else { return Output.note("No app of the catalog is hidden.") }
        let width = apps.map(\.id.count).max() ?? 0
        try Output.lines(apps.map { $0.id.fitted(to: width + 2) + $0.name.text.printable })
    }
}
