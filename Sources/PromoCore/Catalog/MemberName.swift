import PromoWire

/// The names of the members that promod reads, which `packaging/generate` takes from the schema, and a search for the one that a
/// misspelt name was meant to be.
enum MemberName {
    static let ofCatalog = ["apps", "promoRules"]
    static let ofApp = ["id", "name", "appStoreID", "iconURL", "category", "tagline", "storeURLs", "reviewURLs"]
    /// Those of an app that may be texts by language.
    static let byLanguage = ["category", "tagline"]

    /// The known member that a name was probably meant to be: the first one that differs only in case, or in as many letters as a name of
    /// its length may; nil if the name is not similar to any.
    static func known(_ known: [String], meantBy name: OutsideText) -> String? {
        guard name.bytes.count <= 64 else { return nil }
        let written = name.letters
        return known.first { editDistance(Array($0.lowercased().utf8), written) <= tolerance(of: $0.utf8.count) }
    }

    /// The number of letters that may be wrong in a word of this length; a short word is similar to too many others.
    static func tolerance(of length: Int) -> Int {
        switch length {
        case ..<3: 0
        case ..<5: 1
        default: 2
        }
    }
}

extension OutsideText {
    /// Its visible ASCII in lower case, with which misspelt words are compared.
    var letters: [UInt8] {
        Array(String(decoding: bytes.filter { 0x21...0x7E ~= $0 }, as: UTF8.self).lowercased().utf8)
    }
}
