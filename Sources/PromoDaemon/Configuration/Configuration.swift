package import Logging
package import PromoCore
package import PromoWire

/// What a daemon runs by; the initial values are the defaults.
package struct Configuration: Equatable, Sendable {
    /// Where the catalog comes from; nil serves the sample.
    package var catalogURL: HTTPSURL?
    /// Certificates in PEM that are trusted beside the system's, the path of the file.
    package var caFile: String?
    /// The largest catalog after decompression, in bytes.
    package var maximumBytes = 5 * 1024 * 1024
    package var refresh = RefreshPolicy()
    /// The longest whole exchange with the origin, redirects included.
    package var timeout: Duration = .seconds(30)
    package var review = ReviewPolicy()
    package var maximumConnections = 1024
    package var maximumSubscribers = 64
    package var logLevel: Logger.Level = .info

    /// The defaults.
    package init() {}
}
