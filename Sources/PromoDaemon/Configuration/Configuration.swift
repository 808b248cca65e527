package import Logging
package import PromoCore
package import PromoWire

/// The daemon's configuration. The initial values are the defaults.
package struct Configuration: Equatable, Sendable {
    /// The address of the catalog; nil to serve the sample.
    package var catalogURL: HTTPSURL?
    /// The path of a file of certificates in PEM that are trusted in addition to the system's.
    package var caFile: String?
    /// The largest catalog after decompression, in bytes.
    package var maximumBytes = 5 * 1024 * 1024
    /// The keys with which a catalog has to be signed; empty if it need not be.
    package var publicKeys: [PublicKey] = []
    /// Whether a catalog that lost more than half of its apps is held back until a second fetch shows the same.
    package var holdsBack = true
    /// The value of `catalog.proxy`; nil to let the environment decide.
    package var proxyKey: Proxies.Key?
    /// Which proxy is used, by the configuration and the environment.
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
