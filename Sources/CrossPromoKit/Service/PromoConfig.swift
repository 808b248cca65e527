public import FoundationEssentials
import PromoSystem
package import PromoWire

/// The configuration of a ``PromoService``.
public struct PromoConfig: Sendable {
    /// The catalog of the host app; nil to let promod choose the one that goes with ``currentAppID``.
    public var catalog: PromoCatalog?
    /// The id of the host app: lower-case ASCII letters, digits and hyphens. The app itself is not listed, and its rule in the
    /// catalog applies.
    public var currentAppID: String
    /// The path of promod's socket; nil for the default, which the environment may change.
    public var socketPath: String?
    /// The language of the taglines, a BCP 47 tag or a POSIX locale; nil for the process's language.
    public var language: String?
    /// Whether the apps are not listed whose first launch promod has recorded: the person has them.
    public var hidesLaunchedApps: Bool
    /// Whether promod fetches the apps' pictures, for ``PromoService/icon(of:)`` and ``PromoApp/iconFile``.
    public var loadsIcons: Bool
    /// How long promod may take to answer a request that does not wait for a fetch.
    public var timeout: Duration

    /// Creates a configuration, for which only the host app is required.
    public init(
        catalog: PromoCatalog? = nil, currentAppID: String, socketPath: String? = nil, language: String? = nil,
        hidesLaunchedApps: Bool = false, loadsIcons: Bool = false,
        timeout: Duration = .seconds(5)
    ) {
        self.catalog = catalog
        self.currentAppID = currentAppID
        self.socketPath = socketPath
        self.language = language
        self.hidesLaunchedApps = hidesLaunchedApps
        self.loadsIcons = loadsIcons
        self.timeout = timeout
    }

    /// Creates a configuration for the catalog of an address, as in the library for iOS.
    public init(jsonURL: URL, currentAppID: String) {
        self.init(catalog: .url(jsonURL), currentAppID: currentAppID)
    }

    package var client: DaemonClient { DaemonClient(socketPath: socketPath, timeout: timeout) }

    /// Sends a request about the host app's catalog, without blocking the caller's thread.
    /// - Throws: ``PromoError``, which is `invalidCatalog` before anything is sent.
    func answer(to method: Request.Method) async throws(PromoError) -> JSONValue {
        try await client.answer(to: method, of: catalog?.checked())
    }

    package var host: String? { currentAppID.isEmpty ? nil : currentAppID }

    /// The host app's id.
    /// - Throws: `invalidAppID` if it is not valid, because without it the list would contain the host app.
    func checkedHost() throws(PromoError) -> String {
        guard AppID.isWellFormed(currentAppID) else {
            throw PromoError(
                .invalidAppID,
                message:
                    "currentAppID is \"\(currentAppID.printable.shortened())\", but an app's id has \(AppID.form), such as finebill."
            )
        }
        return currentAppID
    }

    package var resolvedLanguage: Language {
        language.map { Language(tag: $0) } ?? Language(environment: ProcessEnvironment().variables)
    }
}
