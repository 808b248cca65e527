import FoundationEssentials
import PromoWire

extension CatalogReference {
    /// The catalog of a name, else of an address; nil for neither.
    /// - Throws: `unknownCatalog` if it is not a valid one.
    static func checked(name: String?, jsonURL: URL?) throws(PromoError) -> CatalogReference? {
        if let name {
            guard isName(name) else {
                throw PromoError(
                    .unknownCatalog,
                    "\"\(name.printable.shortened())\" is no catalog's name, which has \(nameForm), such as acme.")
            }
            return .name(name)
        }
        guard let jsonURL else { return nil }
        guard let url = HTTPSURL(jsonURL.absoluteString) else {
            throw PromoError(.unknownCatalog, HTTPSURL.refusal(of: jsonURL.absoluteString))
        }
        return .address(url.description)
    }

    /// The error of a request that promod refused because it does not keep this catalog: it shows the file that a package installs.
    func unknown(_ error: PromoError) -> PromoError {
        guard error.reason == ErrorReason.unknownCatalog.rawValue else { return error }
        let (name, url) =
            switch self {
            case .name(let name): (name, "https://…")
            case .address(let address): ("NAME", address)
            }
        return PromoError(
            .unknownCatalog, reason: error.reason,
            "promod does not keep the catalog \(text) of this app. The app's package can install "
                + "/usr/share/promod/catalogs.d/\(name).toml with the line: url = \"\(url)\". For one user, this does the same: "
                + "promoctl setup \(url) --catalog \(name)")
    }
}

extension DaemonClient {
    /// Sends a request; if promod does not keep its catalog, the error says how to make it.
    func answerAboutCatalog(
        to request: Request, timeout: Duration? = nil
    ) async throws(PromoError) -> JSONValue {
        do {
            return try await answer(to: request, timeout: timeout)
        } catch {
            throw request.catalog?.unknown(error) ?? error
        }
    }
}
