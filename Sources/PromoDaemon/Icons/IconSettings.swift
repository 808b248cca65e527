import PromoWire

/// How the pictures of a catalog are fetched.
struct IconSettings: Sendable {
    /// Whether they are fetched at all, which they are not while the configuration is broken or another promod keeps the cache.
    var isOn: Bool
    /// Whether they are those of the sample, which promod has itself.
    var isSample: Bool
    /// The age at which a picture is old, and the wait after a failure.
    var interval: Duration
    var caFile: String?
    var timeout: Duration
    var proxies: Proxies
}
