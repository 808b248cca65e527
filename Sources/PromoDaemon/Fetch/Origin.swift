import PromoCore
import PromoWire

/// A request to an origin.
struct OriginRequest: Sendable {
    var url: HTTPSURL
    /// The validators of the catalog or icon that is held; empty if there is none.
    var validators: Validators
    var caFile: String?
    /// The largest body after decompression, in bytes.
    var maximumBytes: Int
    /// The time limit until the answer begins, and for each time in which nothing of it comes; ``Exchange`` limits the whole.
    var timeout: Duration
    /// Decides which proxy each request goes through.
    var proxies = Proxies.none
    /// The media types that are asked for, as the value of an `Accept` header.
    var accept = "application/json"
}

/// A source of catalogs and of their icons.
protocol Origin: Sendable {
    /// Opens what a fetch needs that follows soon, unless ``rest()`` comes first.
    func prepare(for request: OriginRequest)

    /// Begins a fetch. The completion is called once, on any thread, and at once if the fetch is cancelled.
    /// - Returns: cancels the fetch.
    func fetch(
        _ request: OriginRequest, completion: @escaping @Sendable (OriginReply) -> Void
    ) -> @Sendable () -> Void

    /// An origin of another catalog.
    func forAnotherCatalog() -> any Origin

    /// An origin of icons, which keeps what a fetch has opened for the next one until ``rest()``.
    func forIcons() -> any Origin

    /// Closes what it has kept.
    func rest()
}
