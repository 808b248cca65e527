public import FoundationEssentials
import PromoWire

/// The configuration of a ``PromoService``.
public struct PromoConfig: Sendable {
    /// The catalog of the host app; nil to let promod choose the one that goes with ``currentAppID``.
    public var catalog: PromoCatalog?
    /// The id of the host app: lower-case ASCII letters, digits and hyphens. The app itself is not listed, and its rule in the
    /// catalog applies.
    public var currentAppID: String
    /// The path of promod's socket; nil for the default, which the environment may change.
    public var socketPath: String?
    /// The language of everything that people read, a BCP 47 tag or a POSIX locale; nil for the process's language.
    public var language: String?
    /// Whether the apps are not listed whose first launch promod has recorded: the person has them.
    public var hidesLaunchedApps: Bool
    /// Whether promod fetches the apps' pictures, for ``PromoService/icon(of:)`` and ``PromoApp/iconFile``.
    public var loadsIcons: Bool
    /// How long promod may take to answer a request that does not wait for a fetch.
    public var timeout: Duration
    /// The path of the promod that comes with the app, and is started if nobody listens at the socket; nil for `../libexec/promod` from
    /// the app's executable. `PROMOD_PROGRAM` names another one, or is `none`.
    public var program: String?
    /// The app's file with a list for the time before the first fetch, if ``catalog`` is an address; nil for none.
    public var bundled: URL?

    /// Creates a configuration, for which only the host app is required.
    public init(
        catalog: PromoCatalog? = nil, currentAppID: String, socketPath: String? = nil, language: String? = nil,
        hidesLaunchedApps: Bool = false, loadsIcons: Bool = false,
        timeout: Duration = .seconds(5), program: String? = nil
    ) {
        self.catalog = catalog
        self.currentAppID = currentAppID
        self.socketPath = socketPath
        self.language = language
        self.hidesLaunchedApps = hidesLaunchedApps
        self.loadsIcons = loadsIcons
        self.timeout = timeout
        self.program = program
    }

    /// Creates a configuration for the catalog of an address, as in the library for iOS. If promod does not know the address, it keeps the
    /// catalog from now on. `bundled` is the app's file with a list for the time before the first fetch.
    public init(jsonURL: URL, currentAppID: String, bundled: URL? = nil) {
        self.init(catalog: .url(jsonURL), currentAppID: currentAppID)
        self.bundled = bundled
    }

    /// A client with this configuration.
    public var client: PromoClient {
        PromoClient(
            host: currentAppID, catalog: catalog, language: language, socketPath: socketPath, timeout: timeout,
            program: program, bundled: bundled)
    }

    /// The catalog of the address that it was created with; nil if it has none.
    public var jsonURL: URL? {
        if case .url(let address) = catalog { address } else { nil }
    }

    var host: String? { currentAppID.isEmpty ? nil : currentAppID }

    var resolvedLanguage: Language {
        language.map { Language(tag: $0) } ?? .ofProcess
    }
}
