import Logging
import PromoWire

/// Logs what concerns all catalogs.
struct ControlLog {
    let logger: Logger

    func configurationReloaded(file: String?) {
        logger.log(
            .configurationReloaded, "The configuration was read again and is in force", ["file": "\(file ?? "none")"])
    }

    func configurationBroken(_ problems: BadConfiguration, hasOld: Bool) {
        logger.log(
            .configurationBroken,
            "The configuration is broken, and \(hasOld ? "the old one stays" : "nothing is fetched"): \(problems)",
            ["error": "bad-configuration"])
    }

    func cacheNotLocked(_ reason: String) {
        logger.log(
            .cacheNotLocked,
            "The lock of the cache was removed and cannot be taken again, so another promod may write the cache too: \(reason)",
            ["error": "storage"])
    }

    func sampleServed() {
        logger.log(.sampleServed, "The sample catalog is served, because catalog.url is \"sample\"")
    }

    func notConfigured() {
        logger.log(.notConfigured, "No catalog is configured; \"promoctl setup https://…\" sets one")
    }

    func catalogKept(_ catalog: NamedCatalog) {
        logger.log(
            .catalogKept, "\(catalog.name): The catalog is kept, because of \(catalog.file)",
            ["catalog": "\(catalog.name)", "file": "\(catalog.file)"])
    }

    func nameKept(_ alias: CatalogAlias) {
        let file = alias.error.map { "; its file is broken: \($0)" } ?? ", because of \(alias.file)"
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

    func clockSetBack(by step: Duration) {
        let step = Duration.seconds((step.milliseconds + 500) / 1000)
        logger.log(
            .clockSetBack,
            "The clock was set back by \(step.configured), and all times of promod with it, so that nothing seems younger than it is"
        )
    }

    func clockNotWatched(_ error: SystemError) {
        logger.log(
            .clockNotWatched,
            "A clock that is set will only be noticed when somebody asks or a refresh is due: \(error)"
        )
    }

    func dropInsNotWatched(_ error: SystemError) {
        logger.log(
            .dropInsNotWatched,
            "The catalog of a package that comes or goes will only be noticed at a reload or the next refresh: \(error)"
        )
    }

    func routesNotWatched(_ error: SystemError) {
        logger.log(
            .routesNotWatched, "The return of the network will not be noticed, so a retry waits for its time: \(error)"
        )
    }
}
