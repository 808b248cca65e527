package import PromoCore
package import PromoWire

/// The configuration of one catalog. The initial values are the defaults.
package struct CatalogConfiguration: Equatable, Sendable {
    /// Where a catalog comes from.
    package enum Source: Equatable, Sendable {
        /// Nothing is configured.
        case unset
        /// The sample that ships with promod, which only the default catalog can be.
        case sample
        case address(HTTPSURL)
    }

    package var source = Source.unset
    /// The addresses from which the catalog has moved, with which review records come along.
    package var formerly: [HTTPSURL] = []
    /// The path of a file of certificates in PEM that are trusted in addition to the system's.
    package var caFile: String?
    /// The largest catalog after decompression, in bytes.
    package var maximumBytes = 5 * 1024 * 1024
    /// The keys with which the catalog has to be signed; empty if it need not be.
    package var publicKeys: [PublicKey] = []
    /// Whether a catalog that lost more than half of its apps is held back until a second fetch shows the same.
    package var holdsBack = true

    /// The defaults.
    package init() {}

    /// The address of the catalog; nil for none, and for the sample.
    package var url: HTTPSURL? {
        get { if case .address(let url) = source { url } else { nil } }
        set { source = newValue.map(Source.address) ?? .unset }
    }
}
