public import FoundationEssentials

/// An event of a row in a service's list.
public enum PromoEvent: Equatable, Sendable {
    /// A row was seen for the first time in the life of the service.
    case impression(appID: String)
    /// A row was tapped.
    case tap(appID: String)
}

/// Receives the events of a service, for the host app's own statistics.
@MainActor
public protocol PromoEventDelegate: AnyObject, Sendable {
    /// A row was seen or tapped.
    func promoService(_ service: PromoService, didEmit event: PromoEvent)
}

/// Where to send a person who tapped a row.
public enum TapDestination: Equatable, Sendable {
    /// Open the app's page in the store.
    case store(URL)
    /// Show a message instead of the app's page in the store, because there is no network.
    case offline(message: String, storeURL: URL)
}
