import PromoCore
import PromoWire

extension CatalogRefresher {
    /// Which catalog to keep fresh, and with which settings.
    struct Assignment: Sendable {
        /// The first of the catalog's names.
        let name: String
        let isOneOfSeveral: Bool
        /// Whether an app of the user has written its file, so that it may rest.
        let isOfApp: Bool
        /// The name of its directory in the cache.
        let digest: String
        /// Its address; nil for the sample.
        let address: HTTPSURL?
        /// The address from which it is fetched; nil for the sample, and while its file or the configuration is broken.
        let url: HTTPSURL?
        let policy: RefreshPolicy
        let timeout: Duration
        let proxies: Proxies
        let caFile: String?
        /// The paths of the catalogs that packages bring.
        let bundled: [String]

        /// The assignment of a catalog; nil for a broken drop-in that was never valid.
        /// - Parameter isFetched: whether promod has had a valid configuration.
        init?(
            _ catalog: CatalogRoster.Catalog, of roster: CatalogRoster, _ configuration: Configuration,
            environment: [String: String], isFetched: Bool
        ) {
            guard let digest = catalog.digest else { return nil }
            let (entry, settings) = (catalog.entry, catalog.entry.settings)
            isOfApp = entry.isOfApp
            isOneOfSeveral = roster.catalogs.count > 1
            (name, self.digest, address) = (entry.name, digest, settings.url)
            url = isFetched && entry.problem == nil ? settings.url : nil
            (policy, timeout, bundled) = (configuration.refresh, configuration.timeout, catalog.bundled)
            caFile = settings.caFile ?? configuration.caFile
            proxies = Proxies(settings, configuration, environment: environment)
        }

        var isSample: Bool { address == nil }

        /// Whether the catalog's icons are fetched when a client asks for them.
        var fetchesIcons: Bool { url != nil || isSample }

        /// Whether the same is fetched in the same way, perhaps under another name or at other times.
        func isSameRequest(as other: Assignment) -> Bool {
            url?.normalized == other.url?.normalized && caFile == other.caFile && proxies == other.proxies
        }
    }
}
