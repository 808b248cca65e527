public import FoundationEssentials
import PromoWire

extension PromoError: LocalizedError {
    /// What happened, as a sentence for the person who uses the host app.
    public var errorDescription: String? { explanation.problem }

    /// The detail, which is ``message``.
    public var failureReason: String? { message }

    /// What the person who uses the host app can do about it, as a sentence.
    public var recoverySuggestion: String? { explanation.remedy }

    /// The problem and the remedy, as the view shows them.
    var notice: String { "\(explanation.problem) \(explanation.remedy)" }

    // There is one explanation for each remedy, rather than one for each code.
    private var explanation: (problem: String, remedy: String) {
        switch code {
        case .daemonUnreachable:
            ("The list of apps cannot be updated, because promod cannot be reached.", "Start promod.")
        case .badReply,
            .refused where reason == ErrorReason.invalidParams.rawValue:
            (
                "The list of apps cannot be updated, because this app and promod do not understand each other.",
                "Update promod and this app."
            )
        case .unknownCatalog:
            (
                "The list of apps cannot be loaded, because promod does not keep this app's catalog.",
                "Install the app's package again, or run \"promoctl setup\" with the address of its catalog."
            )
        case _ where isDevelopersMistake:
            (
                "The list of apps cannot be loaded, because of a mistake in this app.",
                "Report it to the app's developer."
            )
        case .notConfigured:
            (
                "There are no apps to show, because no catalog is configured for promod.",
                "Set one with \"promoctl setup\" and its address."
            )
        case .refused where reason == ErrorReason.noOrigin.rawValue:
            ("promod has no catalog to load apps from.", "Set one with \"promoctl setup\".")
        case .refreshFailed where Self.network.contains(reason):
            (
                "The list of apps cannot be updated, because its server cannot be reached.",
                "Check the network connection, then try again."
            )
        default:
            ("The list of apps cannot be updated right now.", "Try again later.")
        }
    }

    // The codes of fetches that fail while the network is down, or while a network's login page blocks all others.
    private static let network: [String?] = [Failure.Code.dns, .connect, .timeout].map(\.rawValue)
}
