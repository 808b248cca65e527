import PromoWire

/// The names of the members that promod reads, which `packaging/generate` takes from the schema, and a search for the one that a
/// misspelt name was meant to be.
enum MemberName {
    static let ofCatalog = ["apps", "promoRules"]
    static let ofApp = ["id", "name", "appStoreID", "iconURL", "category", "tagline", "storeURLs", "reviewURLs"]
    /// Those of an app that may be texts by language.
    static let byLanguage = ["category", "tagline"]

    /// The known member that a name was probably meant to be; nil if the name is known itself, or not similar to any.
    static func known(_ known: [String], meantBy name: OutsideText) -> String? {
        known.contains { name == OutsideText($0) } ? nil : similarName(to: name, among: known)
    }
}
