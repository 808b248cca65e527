import PromoCore
import PromoWire

extension CatalogRefresher {
    /// Which catalog to keep fresh, and with which settings.
    struct Assignment: Sendable {
        /// Without an address while the configuration is broken.
        let catalog: CatalogConfiguration
        let policy: RefreshPolicy
        let timeout: Duration
        let proxies: Proxies
        /// Whether the configuration is broken: the cached catalog is served whatever its URL, and nothing is fetched.
        let isUnknown: Bool

        init(_ configuration: Configuration, _ catalog: CatalogConfiguration, isUnknown: Bool) {
            self.catalog = catalog
            policy = configuration.refresh
            timeout = configuration.timeout
            proxies = configuration.proxies
            self.isUnknown = isUnknown
        }

        var url: HTTPSURL? { catalog.url }

        var isSample: Bool { catalog.source == .sample && !isUnknown }

        /// Whether there is no catalog to fetch or to read from the cache: the sample is served, or nothing.
        var hasNoFile: Bool { url == nil && !isUnknown }

        /// Whether this promod fetches the catalog's icons when a client asks for them.
        var fetchesIcons: Bool { !isUnknown && (url != nil || isSample) }

        /// Whether the catalog is the same one, perhaps with other settings.
        func isSameCatalog(as other: Assignment) -> Bool {
            url?.normalized == other.url?.normalized && isSample == other.isSample && isUnknown == other.isUnknown
        }
    }
}
