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
        try Self.run(.hide(app: app), catalog, options) { result in
            let command = "promoctl show \(result.app)" + catalog.suffix
            return result.hasChanged
                ? "\(result.app) is hidden from your lists. \"\(command)\" brings it back."
                : "\(result.app) was hidden already. \"\(command)\" brings it back."
        }
    }

    /// Sends a request to hide or show an app, and prints what came of it.
    static func run(
        _ command: Command, _ catalog: CatalogOption, _ options: CommonOptions,
        telling text: (VisibilityResult) -> String
    ) throws {
        let answer = try options.ask(.command(command), of: catalog.reference, as: VisibilityResult.self)
        if options.json { return try Output.json(answer.json) }
        try Output.line(text(answer.result).printable)
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
        try Output.lines(
            apps.map { $0.id + String(repeating: " ", count: width - $0.id.count + 2) + $0.name.text.printable })
    }
}
