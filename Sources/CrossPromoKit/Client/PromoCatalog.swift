public import FoundationEssentials
import PromoWire

/// One of the catalogs that promod keeps, for a host app that does not leave the choice to promod.
public enum PromoCatalog: Hashable, Sendable {
    /// The catalog of a name.
    case named(String)
    /// The catalog of an https address, which is compared without user, password and fragment.
    case url(URL)

    /// The catalog for requests.
    /// - Throws: `invalidCatalog` if the name or the address is not a valid one.
    func checked() throws(PromoError) -> CatalogReference {
        switch self {
        case .named(let name):
            if let problem = CatalogReference.problem(ofName: name) {
                throw PromoError(.invalidCatalog, message: "\(problem).")
            }
            return .name(name)
        case .url(let address):
            guard let url = HTTPSURL(address.absoluteString)?.requestText else {
                throw PromoError(.invalidCatalog, message: HTTPSURL.refusal(of: address.absoluteString))
            }
            return .address(url)
        }
    }
}

/// A publisher's catalog, as a test of an app decodes its own file. promod checks more: `promoctl validate` says what.
public struct AppCatalog: Codable, Sendable {
    /// The apps, in the order in which they are shown.
    public let apps: [PromoApp]
    /// For each app with a rule, the ids of the apps that it may promote.
    public let promoRules: [String: [String]]?
}
