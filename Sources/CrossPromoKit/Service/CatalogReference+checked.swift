import FoundationEssentials
import PromoWire

extension CatalogReference {
    /// The catalog of a name, of an address, or of both, which then have to agree; nil for neither.
    /// - Throws: `unknownCatalog` if one is not valid.
    static func checked(name: String?, jsonURL: URL?) throws(PromoError) -> CatalogReference? {
        if let name, !isName(name) {
            throw PromoError(
                .unknownCatalog,
                "\"\(name.printable.shortened())\" is no catalog's name, which has \(nameForm), such as acme.")
        }
        let url = jsonURL.map { HTTPSURL($0.absoluteString) }
        if let jsonURL, url == .some(nil) {
            throw PromoError(.unknownCatalog, HTTPSURL.refusal(of: jsonURL.absoluteString))
        }
        return switch (name, url.flatMap(\.self)?.description) {
        case (let name?, let address?): .both(name: name, address: address)
        case (let name?, nil): .name(name)
        case (nil, let address?): .address(address)
        case (nil, nil): nil
        }
    }
}
