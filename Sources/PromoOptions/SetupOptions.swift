package import ArgumentParser
import PromoWire

/// What "promod configure" and "promoctl setup" have in common: what to do with which catalog, and what is written with an address.
package struct SetupOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A PEM file of certificates to trust in addition to the system's, from now on; the running service must be able to read it.",
            valueName: "path"),
        completion: .file())
    package var caFile: String?

    @Option(
        help: ArgumentHelp(
            "A key, as \"promod generate-key\" prints it, with which the catalog has to be signed from now on.",
            valueName: "key"))
    package var publicKey: String?

    @Option(
        help: ArgumentHelp(
            "Fetch all catalogs through this proxy from now on, such as http://proxy.example:3128, or \"direct\" for none.",
            valueName: "address"))
    package var proxy: String?

    @Option(
        help: ArgumentHelp(
            "Another catalog than the default one, by its name: it is configured in a file of its own, catalogs.d/NAME.toml.",
            valueName: "name"))
    package var catalog: String?

    @Flag(help: "Remove the address from the configuration.")
    package var remove = false

    @Flag(help: "Hide the catalog that --catalog names and a package configures.")
    package var hide = false

    @Flag(help: "Show a catalog again that was hidden.")
    package var unhide = false

    @Flag(help: "Bring back the file as it was before the last change of this command; the same again undoes that.")
    package var undo = false

    @Flag(help: "Print the sample, to start a catalog from.")
    package var printSample = false

    /// The options before they are parsed.
    package init() {}

    /// Checks that there is one thing to do, and that the options belong to it.
    /// - Parameters:
    ///   - address: whether there is an address.
    ///   - sample: how the program's arguments name the sample; nil if they do not.
    package func check(address: Bool, sample: String?) throws {
        if proxy != "-" { try OptionValue.check(proxy: proxy) }
        try OptionValue.check(publicKey: publicKey)
        let settings = [("--ca-file", caFile), ("--public-key", publicKey), ("--proxy", proxy)].filter { $0.1 != nil }
        let actions =
            [address ? "an address" : nil, sample].compactMap(\.self)
            + [
                ("--remove", remove), ("--hide", hide), ("--unhide", unhide), ("--undo", undo),
                ("--print-sample", printSample),
            ].filter(\.1).map(\.0)
        guard let action = actions.first else {
            throw ValidationError("The address of a catalog is missing; --sample serves one to look around.")
        }
        if actions.count > 1 {
            throw ValidationError("\(actions[1]) and \(action) exclude each other; give one of them.")
        }
        if let (setting, _) = settings.first, !address {
            throw ValidationError("\(setting) is written with an address; \(action) takes none.")
        }
        guard let catalog else {
            if hide || unhide {
                throw ValidationError("\(action) needs --catalog NAME: it is for another catalog than the default one.")
            }
            return
        }
        guard CatalogReference.isName(catalog) else {
            throw ValidationError("--catalog takes a name of \(CatalogReference.nameForm), such as acme.")
        }
        if sample != nil || printSample {
            throw ValidationError("\(action) is for the default catalog; leave out --catalog.")
        }
        guard catalog != CatalogReference.defaultName else {
            if hide || unhide {
                throw ValidationError(
                    "\(action) is for the catalog of a package; --remove removes the address of the default one.")
            }
            return
        }
        if proxy != nil {
            throw ValidationError(
                "catalog.proxy is for all catalogs, and only config.toml has it: give --proxy without --catalog.")
        }
    }
}
