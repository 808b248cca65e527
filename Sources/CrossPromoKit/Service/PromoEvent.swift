/// What happened to a row of this process's list.
public enum PromoEvent: Equatable, Sendable {
    /// A row was seen, for the first time in this session.
    case impression(appID: String)
    /// A row was tapped.
    case tap(appID: String)
}

/// Hears of a service's own events, for the host app's own statistics.
@MainActor
public protocol PromoEventDelegate: AnyObject {
    /// A row was seen or tapped.
    func promoService(_ service: PromoService, didEmit event: PromoEvent)
}
