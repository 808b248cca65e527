public import FoundationEssentials

/// Where to send a person who tapped a row.
public enum TapDestination: Equatable, Sendable {
    /// Open the app's page in the store.
    case store(URL)
    /// Show a message instead of the app's page in the store, because there is no network.
    case offline(message: String, storeURL: URL)
}
