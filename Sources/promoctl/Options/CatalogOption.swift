import ArgumentParser
import PromoWire

/// The catalog that a command is about; shells complete its name.
struct CatalogOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The catalog, by its name or address, if it is not the default one.", valueName: "name"),
        completion: .catalogNames)
    var catalog: String?

    /// The catalog for a request; nil for the default one.
    var reference: CatalogReference? { catalog.flatMap(CatalogReference.init) }

    /// Advice with the option after each command that is about a catalog, so that it is about this one too.
    func completed(_ advice: String) -> String {
        guard let catalog else { return advice }
        return ["refresh", "wait", "status", "list"].reduce(advice) { text, command in
            text.replacing("promoctl \(command)", with: "promoctl \(command) --catalog \(catalog)")
        }
    }

    func validate() throws {
        guard let catalog, reference == nil else { return }
        throw ValidationError(
            "--catalog takes a catalog's name (\(CatalogReference.nameForm)) or its https address, not \"\(catalog.shortened().printable)\"; \"promoctl catalogs\" lists the catalogs."
        )
    }
}
