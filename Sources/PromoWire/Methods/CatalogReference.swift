/// A request's reference to the catalog that it is about.
package enum CatalogReference: Hashable, Sendable, JSONWritable {
    case name(String)
    /// The catalog's address, as ``HTTPSURL/description`` writes it: without user, password, query and fragment.
    case address(String)
    /// Both, which must belong to one catalog, so that the name never leads to another publisher's apps.
    case both(name: String, address: String)

    /// The name of the catalog that `catalog.url` configures, which requests are about by default.
    package static let defaultName = "default"

    /// The maximum length of a name in bytes, because a name is part of a file's name.
    package static let maximumLength = 64

    /// The rule for a name in words.
    package static let nameForm = "1 to \(maximumLength) lowercase ASCII letters, digits and hyphens"

    /// The rules for names, for addresses, and for either, as regular expressions.
    static let (namePattern, addressPattern) = ("^\(name)$", "^\(address)$")
    package static let pattern = "^(\(name)|\(address))$"
    private static let (name, address) = ("[a-z0-9-]{1,\(maximumLength)}", "[Hh][Tt][Tt][Pp][Ss]://.+")

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

    /// Reads a parameter: a name, an address, or an object with both.
    init?(_ json: JSONValue) {
        if let text = json.outsideText {
            self.init(text)
            return
        }
        guard json.kind == .object, json.members.allSatisfy({ $0.0.isString("name") || $0.0.isString("url") }),
            case .name(let name)? = json["name"]?.outsideText.flatMap(CatalogReference.init),
            case .address(let address)? = json["url"]?.outsideText.flatMap(CatalogReference.init)
        else { return nil }
        self = .both(name: name, address: address)
    }

    static var schema: ValueSchema {
        .either(
            .pattern(pattern),
            .object(
                [
                    .init("name", .pattern(namePattern), "the catalog's name"),
                    .init("url", .pattern(addressPattern), "its https address"),
                ], isClosed: true
            ).named("CatalogReference"))
    }

    /// Writes the value of the parameter.
    package func write(to writer: inout JSONWriter) {
        guard case .both(let name, let address) = self else { return writer.value(text) }
        writer.object { writer in
            writer.member("name", name)
            writer.member("url", address)
        }
    }

    /// Whether a text is a well-formed name.
    package static func isName(_ text: String) -> Bool {
        text.utf8.count <= maximumLength && AppID.isMadeOfIDCharacters(text)
    }

    /// The catalog that is meant; nil if there is none. If two addresses differ only in the query, it is the first by name.
    /// - Parameter isNamed: whether a name is a catalog's first one or one of its others.
    package func first<Catalog>(
        among catalogs: [Catalog], name: (Catalog) -> String, isNamed: (Catalog, String) -> Bool,
        address: (Catalog) -> String?
    ) -> Catalog? {
        switch self {
        case .name(let text): catalogs.first { isNamed($0, text) }
        case .address(let text): catalogs.filter { address($0) == text }.min { name($0) < name($1) }
        case .both(let text, let url): catalogs.first { isNamed($0, text) && address($0) == url }
        }
    }

    /// The name or the address; the name if there are both.
    package var text: String {
        switch self {
        case .name(let text), .address(let text), .both(let text, _): text
        }
    }
}
