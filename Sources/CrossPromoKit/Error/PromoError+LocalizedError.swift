public import FoundationEssentials
import PromoWire

extension PromoError: LocalizedError {
    /// What happened, in a sentence for the person who uses a host app.
    public var errorDescription: String? { explanation.problem }

    /// The detail, ``message``.
    public var failureReason: String? { message }

    /// What that person can do about it, in a sentence.
    public var recoverySuggestion: String? { explanation.remedy }

    /// The two sentences for people, as the view shows them.
    var notice: String { "\(explanation.problem) \(explanation.remedy)" }

    /// There is one explanation for each thing that a person can do, rather than one for each code.
    private var explanation: (problem: String, remedy: String) {
        switch code {
        case .daemonUnreachable:
            ("More apps cannot be loaded, because promod cannot be reached.", "Start promod, then try again.")
        case .badReply:
            ("More apps cannot be loaded, because this app does not understand promod.", "Update promod and this app.")
        case .otherCatalog:
            (
                "More apps cannot be loaded, because promod keeps another catalog than this app's.",
                "Give the address of this app's catalog to \"promoctl setup\"."
            )
        case .invalidAppID:
            ("More apps cannot be loaded, because of a mistake in this app.", "Report it to the app's developer.")
        case .refused where reason == ErrorReason.noOrigin.rawValue:
            ("promod has no catalog to load apps from.", "Set one with \"promoctl setup\".")
        case .refreshFailed where Self.network.contains(reason):
            (
                "The list of apps cannot be updated, because its server cannot be reached.",
                "Check the network connection, then try again."
            )
        case .refreshFailed:
            ("The list of apps cannot be updated right now.", "Try again later.")
        default:
            ("More apps cannot be loaded right now.", "Try again later.")
        }
    }

    /// Why a fetch fails while the network is down, or keeps everything but its own pages away.
    private static let network: [String?] = [Failure.Code.dns, .connect, .timeout].map(\.rawValue)
}
