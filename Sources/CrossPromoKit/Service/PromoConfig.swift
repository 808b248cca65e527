public import FoundationEssentials
import PromoProcess
package import PromoWire

/// The configuration of a ``PromoService``.
public struct PromoConfig: Sendable {
    /// The address of the host app's catalog, by which promod finds it among those that it keeps; nil to find it by ``catalog`` alone.
    /// With both, the catalog has to have this name and this address, so that a name never leads to another publisher's apps.
    public var jsonURL: URL?
    /// The name of the host app's catalog; nil to find it by ``jsonURL`` alone, or for the default one if that is nil too.
    public var catalog: String?
    /// The id of the host app: lower-case ASCII letters, digits and hyphens. The app itself is not listed, and its rule in the
    /// catalog applies.
    public var currentAppID: String
    /// The path of promod's socket; nil for the default, which the environment may change.
    public var socketPath: String?
    /// The language of the taglines, a BCP 47 tag or a POSIX locale; nil for the process's language.
    public var language: String?
    /// The ids of apps that are left out, at most 100: those that the person is known to have.
    public var exclude: [String]
    /// Whether the apps are left out whose first launch promod has recorded: the person has them.
    public var unlaunched: Bool
    /// Whether promod fetches the apps' pictures, so that they have a ``PromoApp/iconFile``.
    public var icons: Bool
    /// How long promod may take to answer a request that does not wait for a fetch.
    public var timeout: Duration

    /// Creates a configuration, for which only the host app is required.
    public init(
        jsonURL: URL? = nil, catalog: String? = nil, currentAppID: String, socketPath: String? = nil,
        language: String? = nil, exclude: [String] = [], unlaunched: Bool = false, icons: Bool = false,
        timeout: Duration = .seconds(5)
    ) {
        self.jsonURL = jsonURL
        self.catalog = catalog
        self.currentAppID = currentAppID
        self.socketPath = socketPath
        self.language = language
        self.exclude = exclude
        self.unlaunched = unlaunched
        self.icons = icons
        self.timeout = timeout
    }

    package var client: DaemonClient { DaemonClient(socketPath: socketPath, timeout: timeout) }

    /// The catalog for requests; nil for the default one.
    /// - Throws: `unknownCatalog` if the name or the address is not a valid one.
    func checkedCatalog() throws(PromoError) -> CatalogReference? {
        try CatalogReference.checked(name: catalog, jsonURL: jsonURL)
    }

    package var host: String? { currentAppID.isEmpty ? nil : currentAppID }

    /// The host app's id.
    /// - Throws: `invalidAppID` if it is not valid, because without it the list would contain the host app.
    func checkedHost() throws(PromoError) -> String {
        guard AppID.isWellFormed(currentAppID) else {
            throw PromoError(
                .invalidAppID,
                "currentAppID is \"\(currentAppID.printable.shortened())\", but an app's id has \(AppID.form), such as finebill."
            )
        }
        return currentAppID
    }

    package var resolvedLanguage: Language {
        language.map { Language(tag: $0) } ?? Language(environment: ProcessEnvironment().variables)
    }
}
