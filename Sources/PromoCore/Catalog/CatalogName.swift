import PromoWire

/// The members that promod reads, and which of them a wrong name was meant to be.
enum CatalogName {
    static let ofCatalog = ["apps", "promoRules"]
    static let ofApp = ["id", "name", "appStoreID", "iconURL", "category", "tagline"]

    /// Codes of countries, and of three letters, that are written for languages.
    private static let mistakenLanguages = [
        "kr": "ko", "kor": "ko", "jp": "ja", "jpn": "ja", "us": "en", "gb": "en", "eng": "en",
    ]

    /// The known member that a name is a slip of; nil if it is one of them, or near none.
    static func known(_ known: [String], meantBy name: String) -> String? {
        guard !known.contains(name), name.utf8.count <= 64 else { return nil }
        let written = Array(name.lowercased().utf8)
        return known.first { editDistance(Array($0.lowercased().utf8), written) <= tolerance($0.utf8.count) }
    }

    /// The known language that another tag stands for. Other languages are allowed, and any two letters are near one of them.
    static func language(meantBy tag: String) -> String? {
        guard Language(rawValue: tag) == nil else { return nil }
        let primary = tag.shortened().prefix { $0 != "-" && $0 != "_" }.lowercased()
        return Language(rawValue: primary)?.rawValue ?? mistakenLanguages[primary]
    }

    /// How many letters may be wrong in a word of that length; a short one is near too many others.
    static func tolerance(_ length: Int) -> Int {
        switch length {
        case ..<3: 0
        case ..<5: 1
        default: 2
        }
    }
}
