/// A request's reference to the catalog that it is about.
package enum CatalogReference: Hashable, Sendable, JSONWritable {
    case name(String)
    /// The catalog's whole address, as ``HTTPSURL/requestText`` writes it: without user, password and fragment.
    case address(String)

    /// The name of the catalog that requests are about by default.
    package static let defaultName = "default"

    /// The maximum length of a name in bytes, because a name is part of a file's name.
    package static let maximumLength = 64

    /// The rule for a name in words.
    package static let nameForm = "1 to \(maximumLength) lowercase ASCII letters, digits and hyphens"

    static let schema = ValueSchema.pattern(
        "^([a-z0-9-]{1,\(maximumLength)}|[Hh][Tt][Tt][Pp][Ss]://.+)$",
        words: "a catalog's name (\(nameForm)) or https address", example: "acme")

    /// Reads a name or an address; nil for any other text.
    package init?(_ text: OutsideText) {
        if let name = text.ascii(upTo: Self.maximumLength), Self.isName(name) {
            self = .name(name)
        } else if let url = HTTPSURL(text) {
            self = .address(url.requestText)
        } else {
            return nil
        }
    }

    /// Reads a name or an address; nil for any other text.
    package init?(_ text: String) {
        self.init(OutsideText(text))
    }

    /// Writes the value of the parameter.
    package func write(to writer: inout JSONWriter) { writer.value(text) }

    /// Whether a text is a well-formed name.
    package static func isName(_ text: String) -> Bool {
        text.utf8.count <= maximumLength && AppID.isMadeOfIDCharacters(text)
    }

    /// Why a catalog cannot have this name; nil if it can.
    package static func problem(ofName name: String) -> String? {
        isName(name)
            ? nil
            : "\"\(name.printable.elided())\" is not a valid name for a catalog; use \(nameForm), such as acme"
                + AppID.hint(OutsideText(name))
    }

    /// The name or the address.
    package var text: String {
        switch self {
        case .name(let text), .address(let text): text
        }
    }
}
