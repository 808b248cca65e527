import ArgumentParser
import PromoWire

/// The catalog that a command is about; shells complete its name.
struct CatalogOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The catalog, by its name or address.", valueName: "name"),
        completion: .catalogNames)
    var catalog: String?

    /// The catalog for a request; nil for the default one.
    var reference: CatalogReference? { catalog.flatMap(CatalogReference.init) }

    /// A command with the option, for advice.
    func command(_ command: String) -> String {
        "promoctl \(command)" + (catalog.map { " --catalog \($0)" } ?? "")
    }

    func validate() throws {
        guard let catalog, reference == nil else { return }
        throw ValidationError(
            "--catalog takes a catalog's name (\(CatalogReference.nameForm)) or its https address, not \"\(catalog.shortened().printable)\"\(AppID.hint(OutsideText(catalog))); \"promoctl status\" lists the catalogs."
        )
    }
}
