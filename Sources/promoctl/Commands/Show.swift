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
        try options.show(.command(.show(app: app.app)), of: catalog, as: VisibilityResult.self) { result in
            result.hasChanged
                ? "\(result.app) is in your lists again."
                : "\(result.app) was not hidden. \"promoctl hide --list\(catalog.suffix)\" shows the apps that are."
        }
    }
}
