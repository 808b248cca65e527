public import FoundationEssentials

/// Where a tap leads.
public enum TapDestination: Equatable, Sendable {
    /// To the app's page in the store.
    case store(URL)
    /// To a message for the person who tapped, because there is no network; the page is where it would have led.
    case offline(message: String, storeURL: URL)
}
