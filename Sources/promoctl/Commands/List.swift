import ArgumentParser
import CrossPromoKit
import PromoWire

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the apps that an app may promote, \"More Apps\".",
        discussion: """
            Prints a row per app: icon, name, category and tagline, and on a wide terminal the id. The icon is a tile with the \
            app's initials, or its picture on a terminal that draws PNG by kitty's protocol (NO_COLOR turns that off). An app \
            is missing if it is the host, if the host's rule leaves it out, or if the catalog lacks it.

            Exit codes: 0 for a list, even an empty one; without a catalog 75 if promod tries again by itself, else 1.

            Example: promoctl list --host finebill --language ko --limit 3
            """)

    @OptionGroup var selection: SelectionOptions

    @OptionGroup var options: CommonOptions

    func run() throws {
        let report = ListReport(
            client: options.client, parameters: selection.parameters(.all), catalog: selection.catalog.reference,
            language: selection.language, isJSON: options.json)
        if try report.show() == .empty { throw try options.noCatalog(selection.catalog.reference) }
    }
}
