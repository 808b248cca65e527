import Logging
import PromoWire

/// The records about which catalogs are kept, and why not.
struct ControlLog {
    let logger: Logger

    func configurationBroken(_ problems: BadConfiguration, hasOld: Bool) {
        logger.log(
            .configurationBroken,
            "The configuration is broken, and \(hasOld ? "the old one stays" : "nothing is fetched"): \(problems)",
            ["error": "bad-configuration"])
    }

    func catalogKept(_ catalog: NamedCatalog) {
        logger.log(
            .catalogKept, "\(catalog.name): promod keeps this catalog, which \(catalog.file) configures",
            ["catalog": "\(catalog.name)", "file": "\(catalog.file)"])
    }

    func nameKept(_ alias: CatalogAlias) {
        let file = alias.error.map { "; its file is broken: \($0)" } ?? ", in \(alias.file)"
        logger.log(
            alias.error == nil ? .catalogKept : .configurationBroken,
            "\(alias.name): This is another name of a catalog with the same address\(file)",
            ["catalog": "\(alias.name)", "file": "\(alias.file)"])
    }

    func nameDropped(_ alias: CatalogAlias) {
        logger.log(
            .catalogDropped,
            "\(alias.name): This is no other name of a catalog any more; \(alias.file) is gone, hidden, overridden or changed",
            ["catalog": "\(alias.name)", "file": "\(alias.file)"])
    }

    func catalogDropped(_ catalog: NamedCatalog) {
        logger.log(
            .catalogDropped,
            "\(catalog.name): The catalog is no longer kept; \(catalog.file) is gone, hidden or overridden",
            ["catalog": "\(catalog.name)", "file": "\(catalog.file)"])
    }

    func dropInBroken(_ catalog: NamedCatalog, _ problem: String) {
        logger.log(
            .configurationBroken,
            "\(catalog.name): The file of the catalog is broken, and the catalog is not fetched: \(problem)",
            ["error": "bad-configuration", "catalog": "\(catalog.name)", "file": "\(catalog.file)"])
    }

    func fileIgnored(_ ignored: IgnoredFile) {
        logger.log(.dropInIgnored, "\(ignored.file) is ignored: \(ignored.error)", ["file": "\(ignored.file)"])
    }
}
