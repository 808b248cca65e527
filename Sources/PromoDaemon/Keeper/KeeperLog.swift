import Logging
import PromoCore
import PromoWire

/// The records about which catalogs are kept, and why not.
struct KeeperLog {
    let logger: Logger

    func configurationBroken(_ problems: BadConfiguration, hasOld: Bool) {
        logger.log(
            .configurationBroken,
            "The configuration is broken, and \(hasOld ? "the old one stays" : "nothing is fetched"): \(problems)",
            ["error": "bad-configuration"])
    }

    func nameKept(_ name: CatalogAlias) {
        let metadata: Logger.Metadata = ["catalog": "\(name.name)", "file": "\(name.file)"]
        guard let problem = name.error else {
            return logger.log(.catalogKept, "\(name.name): promod keeps this catalog\(configured(name))", metadata)
        }
        logger.log(
            .configurationBroken,
            "\(name.name): The file of the catalog is broken, and the catalog is not fetched by it: \(problem)",
            metadata.merging(["error": "bad-configuration"]) { $1 })
    }

    func nameDropped(_ name: CatalogAlias) {
        logger.log(
            .catalogDropped,
            "\(name.name): promod no longer keeps this catalog as it was\(configured(name))",
            ["catalog": "\(name.name)", "file": "\(name.file)"])
    }

    private func configured(_ name: CatalogAlias) -> String {
        name.file.isEmpty ? ", which no file configures" : ", which \(name.file) configures"
    }

    func fileIgnored(_ ignored: IgnoredFile) {
        logger.log(.dropInIgnored, "\(ignored.file) is ignored: \(ignored.error)", ["file": "\(ignored.file)"])
    }
}
