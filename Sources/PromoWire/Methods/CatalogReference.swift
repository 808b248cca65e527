/// How a request names the catalog that it is about.
package enum CatalogReference: Hashable, Sendable {
    case name(String)
    /// The catalog's address, as ``HTTPSURL/description`` writes it: without user, password, query and fragment.
    case address(String)

    /// The name of the catalog that `catalog.url` configures, which a request means if it names none.
    package static let defaultName = "default"

    /// The length of the longest name, in bytes. A name is part of a file's name.
    package static let maximumLength = 64

    /// The rule for a name in words.
    package static let nameForm = "1 to \(maximumLength) lowercase ASCII letters, digits and hyphens"

    /// The rules for names and addresses as a regular expression.
    package static let pattern = "^([a-z0-9-]{1,\(maximumLength)}|[Hh][Tt][Tt][Pp][Ss]://.+)$"

    /// Reads a name or an address; nil for any other text.
    package init?(_ text: OutsideText) {
        guard let text = text.ascii(upTo: HTTPSURL.maximumLength) else { return nil }
        if Self.isName(text) {
            self = .name(text)
        } else if let url = HTTPSURL(text) {
            self = .address(url.description)
        } else {
            return nil
        }
    }

    /// Reads a name or an address; nil for any other text.
    package init?(_ text: String) {
        self.init(OutsideText(text))
    }

    /// Whether a text is a well-formed name.
    package static func isName(_ text: String) -> Bool {
        text.utf8.count <= maximumLength && AppID.isMadeOfIDCharacters(text)
    }

    /// The catalog that is meant; nil if there is none. If two have the same address, it is the first by name.
    package func first<Catalog>(
        among catalogs: [Catalog], name: (Catalog) -> String, address: (Catalog) -> String?
    ) -> Catalog? {
        switch self {
        case .name(let text): catalogs.first { name($0) == text }
        case .address(let text): catalogs.filter { address($0) == text }.min { name($0) < name($1) }
        }
    }

    /// The name or the address.
    package var text: String {
        switch self {
        case .name(let text), .address(let text): text
        }
    }
}

extension CatalogReference {
    /// What is wrong with the options that hide a catalog or have it back; nil if nothing is.
    /// - Parameter isAlone: whether no other option is given.
    package static func hidingProblem(hide: Bool, unhide: Bool, catalog: String?, isAlone: Bool) -> String? {
        guard hide || unhide else { return nil }
        let option = hide ? "--hide" : "--unhide"
        if hide && unhide { return "--hide and --unhide are opposites; give one of them." }
        guard let catalog, isAlone else { return "\(option) takes --catalog NAME and nothing else." }
        return catalog == defaultName
            ? "\(option) is for the catalog of a package; --remove removes the address of the default one." : nil
    }
}
