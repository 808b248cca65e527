package import Logging
package import PromoCore
import PromoWire

/// The daemon's own configuration, without the catalogs. The initial values are the defaults.
package struct Configuration: Equatable, Sendable {
    package var refresh = RefreshPolicy()
    /// The time limit until the origin's answer begins, and for each time in which nothing of it comes.
    package var timeout: Duration = .seconds(30)
    package var review = ReviewPolicy()
    /// The proxy for catalogs that set none; nil if the environment decides.
    package var proxy: ProxySetting?
    /// The path of a PEM file with certificates that are trusted in addition to the system's, for catalogs that set none.
    package var caFile: String?
    package var maximumConnections = 1024
    package var logLevel: Logger.Level = .info

    /// The defaults.
    package init() {}
}
