import PromoCore
import PromoWire

extension CatalogRefresher {
    /// Which catalog to keep fresh, and with which settings.
    struct Assignment: Sendable {
        /// Where the catalog comes from; not known while the configuration is broken.
        var source: CatalogConfiguration.Source
        var url: HTTPSURL?
        var policy: RefreshPolicy
        var caFile: String?
        var maximumBytes: Int
        var timeout: Duration
        var proxies: Proxies
        var trust: CatalogTrust
        var holdsBack: Bool
        /// Whether the configuration is broken: the cached catalog is served whatever its URL, and nothing is fetched.
        var isUnknown: Bool
        /// Whether another promod keeps the cache: it is only read, and nothing is fetched.
        var isReading: Bool

        init(
            _ configuration: Configuration, _ catalog: CatalogConfiguration, isUnknown: Bool, isReading: Bool = false
        ) {
            source = catalog.source
            url = catalog.url
            policy = configuration.refresh
            caFile = catalog.caFile
            maximumBytes = catalog.maximumBytes
            timeout = configuration.timeout
            proxies = configuration.proxies
            trust = CatalogTrust(keys: catalog.publicKeys)
            holdsBack = catalog.holdsBack
            self.isUnknown = isUnknown
            self.isReading = isReading
        }

        /// Where this promod itself fetches the catalog from; nil if it does not.
        var origin: HTTPSURL? { isReading ? nil : url }

        var icons: IconSettings {
            IconSettings(
                isOn: (origin != nil || isSample && !isReading) && !isUnknown, isSample: isSample,
                interval: policy.interval, caFile: caFile, timeout: timeout, proxies: proxies)
        }

        var isSample: Bool { source == .sample && !isUnknown }

        /// Whether there is no catalog to fetch or to read from the cache: the sample is served, or nothing.
        var hasNoFile: Bool { url == nil && !isUnknown }

        /// Whether the catalog is the same one, perhaps with other settings.
        func isSameCatalog(as other: Assignment) -> Bool {
            url?.normalized == other.url?.normalized && isSample == other.isSample && isUnknown == other.isUnknown
        }
    }
}
