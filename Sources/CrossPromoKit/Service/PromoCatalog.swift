public import FoundationEssentials
import PromoWire

/// The catalog of a host app, one of those that promod keeps.
public struct PromoCatalog: Hashable, Sendable {
    private let name: String?
    private let address: URL?

    /// The catalog that the person has configured for promod.
    public static let `default` = PromoCatalog(name: nil, address: nil)

    /// The catalog of a name.
    public static func named(_ name: String) -> PromoCatalog {
        PromoCatalog(name: name, address: nil)
    }

    /// The catalog of an https address, which is compared without user, password and fragment.
    public static func url(_ url: URL) -> PromoCatalog {
        PromoCatalog(name: nil, address: url)
    }

    /// The catalog for requests; nil for the default one.
    /// - Throws: `invalidCatalog` if the name or the address is not a valid one.
    func checked() throws(PromoError) -> CatalogReference? {
        if let name, !CatalogReference.isName(name) {
            throw PromoError(
                .invalidCatalog,
                message:
                    "\"\(name.printable.shortened())\" is no catalog's name, which has \(CatalogReference.nameForm), such as acme."
            )
        }
        guard let address else { return name.map { .name($0) } }
        guard let url = HTTPSURL(address.absoluteString)?.requestText else {
            throw PromoError(.invalidCatalog, message: HTTPSURL.refusal(of: address.absoluteString))
        }
        return .address(url)
    }
}
