import ArgumentParser
import CrossPromoKit
import PromoWire

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put a hidden app back in your lists.",
        discussion: "Example: promoctl show bookary")

    @OptionGroup var app: AppArgument
    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        let request = Request.show(AppParameters(app: app.app, catalog: catalog.reference))
        try options.show(request, reading: VisibilityResult.init) { result in
            result.hasChanged ? "\(result.app) is in your lists again." : "\(result.app) was not hidden."
        }
    }
}
