package import Logging
package import PromoCore
package import PromoWire

/// The daemon's configuration. The initial values are the defaults.
package struct Configuration: Equatable, Sendable {
    /// The default catalog.
    package var catalog = CatalogConfiguration()
    /// The other catalogs that the configuration's files hold, by name; drop-ins are not among them.
    package var catalogs: [NamedCatalog] = []
    /// The value of `catalog.proxy`; nil if the environment decides.
    package var proxyKey: Proxies.Key?
    /// The proxies by the configuration and the environment.
    package var proxies = Proxies.none
    package var refresh = RefreshPolicy()
    /// The time limit for the whole exchange with the origin, including redirects.
    package var timeout: Duration = .seconds(30)
    package var review = ReviewPolicy()
    package var maximumConnections = 1024
    package var maximumSubscribers = 64
    package var logLevel: Logger.Level = .info

    /// The defaults.
    package init() {}
}

/// The configuration of one catalog. The initial values are the defaults.
package struct CatalogConfiguration: Equatable, Sendable {
    /// The source of a catalog.
    package enum Source: Equatable, Sendable {
        /// Nothing is configured.
        case unset
        /// The sample, which only the default catalog can be.
        case sample
        case address(HTTPSURL)
    }

    package var source = Source.unset
    /// The addresses from which the catalog has moved, whose review records move with it.
    package var formerly: [HTTPSURL] = []
    /// The path of a PEM file with certificates that are trusted in addition to the system's.
    package var caFile: String?
    /// The largest catalog after decompression, in bytes.
    package var maximumBytes = 5 * 1024 * 1024

    /// The defaults.
    package init() {}

    /// The address of the catalog; nil for none, and for the sample.
    package var url: HTTPSURL? {
        get { if case .address(let url) = source { url } else { nil } }
        set { source = newValue.map(Source.address) ?? .unset }
    }
}
