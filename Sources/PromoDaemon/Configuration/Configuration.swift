package import Logging
package import PromoCore
import PromoWire

/// The daemon's configuration. The initial values are the defaults.
package struct Configuration: Equatable, Sendable {
    /// The default catalog.
    package var catalog = CatalogConfiguration()
    /// The other catalogs that the configuration's files hold, by name; drop-ins are not among them.
    package var catalogs: [NamedCatalog] = []
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
