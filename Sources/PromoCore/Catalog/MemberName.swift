import PromoWire

/// The names of the members that promod reads, and a search for the one that a misspelt name was meant to be.
enum MemberName {
    static let ofCatalog = ["apps", "promoRules"]
    static let ofApp = ["id", "name", "appStoreID", "iconURL", "category", "tagline", "storeURLs", "reviewURLs"]

    /// The known member that a name was probably meant to be; nil if the name is known itself, or not similar to any.
    static func known(_ known: [String], meantBy name: OutsideText) -> String? {
        guard let name = name.ascii(upTo: 64), !known.contains(name) else { return nil }
        let written = Array(name.lowercased().utf8)
        return known.first { editDistance(Array($0.lowercased().utf8), written) <= tolerance($0.utf8.count) }
    }

    /// The number of letters that may be wrong in a word of this length; a short word is similar to too many others.
    static func tolerance(_ length: Int) -> Int {
        switch length {
        case ..<3: 0
        case ..<5: 1
        default: 2
        }
    }
}
