/// A validated catalog: the apps in the order in which they are shown, and the rules by which hosts promote them.
package struct AppCatalog: Equatable, Sendable {
    /// The maximum size of a catalog after decompression, in bytes.
    package static let maximumBytes = 5 << 20
    /// The maximum depth of a catalog's JSON.
    package static let maximumDepth = 64

    /// The apps, at least one.
    package let apps: [PromoApp]
    /// For each host with a rule, the ids of the apps that it may promote; all are in ``apps``.
    package let promoRules: [String: [String]]

    /// Reads and checks a catalog's bytes.
    /// - Throws: ``CatalogError``, with every finding.
    package init(_ bytes: [UInt8]) throws(CatalogError) {
        self = try CatalogText(bytes).catalog()
    }

    init(apps: [PromoApp], promoRules: [String: [String]]) {
        self.apps = apps
        self.promoRules = promoRules
    }
}
