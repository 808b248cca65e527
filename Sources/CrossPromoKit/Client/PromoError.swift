public import FoundationEssentials
import PromoWire

/// An error of a request to promod: a code for programs, a message for the log, and, as a `LocalizedError`, sentences for the person
/// who uses a host app.
public struct PromoError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of errors; a later version may have more of them.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The word for the kind.
        public let rawValue: String

        /// Creates a kind from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The word for the kind.
        public var description: String { rawValue }

        /// promod does not listen on the socket.
        public static let daemonUnreachable = Code(rawValue: "daemonUnreachable")
        /// promod did not answer in time.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The connection ended before the answer came.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The answer does not follow the protocol.
        public static let badReply = Code(rawValue: "badReply")
        /// promod refused the request; ``PromoError/reason`` says why.
        public static let refused = Code(rawValue: "refused")
        /// promod keeps no catalog of the address or the name in ``PromoConfig``.
        public static let unknownCatalog = Code(rawValue: "unknownCatalog")
        /// promod has no catalog, because the person has configured none, or hides the app's.
        public static let notConfigured = Code(rawValue: "notConfigured")
        /// The catalog could not be fetched. The last one is still served.
        public static let refreshFailed = Code(rawValue: "refreshFailed")
        /// The last attempt to fetch the catalog was so recent that promod has made no other.
        public static let refreshDeferred = Code(rawValue: "refreshDeferred")
        /// ``PromoConfig/catalog`` has a name or an address that is not valid; nothing was sent.
        public static let invalidCatalog = Code(rawValue: "invalidCatalog")
        /// The id of the app that asks is not a valid id; nothing was sent.
        public static let invalidAppID = Code(rawValue: "invalidAppID")
        /// The task that made the request was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The kind of the error.
    public let code: Code
    /// The daemon's stable word for a refusal, such as `busy`, or for a failed fetch, such as `dns`; `socket-removed` if it runs, but
    /// its socket was removed; `not-sent` if there was no time to send the request; nil for the other kinds.
    public let reason: String?
    /// What happened, to what, and what to do, with addresses and paths. It is meant for a log, and its wording may change.
    public let message: String

    /// Whether a person may usefully try again.
    var canRetry: Bool { ![.mistake, .nothing].contains(trouble) }

    /// Whether the developer has to correct something.
    var isMistake: Bool { trouble == .mistake }

    /// Whether no event may say that the trouble is over: promod was reached, but did not answer.
    var endsWithoutEvent: Bool {
        [.timedOut, .connectionLost].contains(code)
            || code == .refused && reason == ErrorReason.busy.rawValue
    }

    /// Creates an error, for previews and tests of a host app.
    public init(_ code: Code, reason: String? = nil, message: String) {
        self.code = code
        self.reason = reason
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension PromoError: LocalizedError {
    /// What happened, as a sentence for the person who uses the host app, in the language of the process.
    public var errorDescription: String? { Words(in: .ofProcess).trouble(trouble, false).problem }

    /// What the person who uses the host app can do about it, as a sentence in the language of the process.
    public var recoverySuggestion: String? {
        let remedy = Words(in: .ofProcess).trouble(trouble, false).remedy
        return remedy.isEmpty ? nil : remedy
    }

    /// The problem and the remedy for people, as the view shows them, in the language of a BCP 47 tag or a POSIX locale.
    public func explanation(in tag: String) -> String { notice(in: Words(in: Language(tag: tag))) }

    /// The problem and the remedy, as the view shows them.
    /// - Parameter hasList: whether a list is shown, which could not be updated.
    func notice(in words: Words, hasList: Bool = false) -> String { words.sentences(trouble, hasList: hasList) }

    /// Which problem a person is told of.
    private var trouble: Words.Trouble {
        switch code {
        case .invalidAppID, .invalidCatalog, .unknownCatalog: .mistake
        case .refused where reason == ErrorReason.invalidParams.rawValue: .mistake
        case .notConfigured: .nothing
        case .refused where reason == ErrorReason.noOrigin.rawValue: .nothing
        case .refused where reason == ErrorReason.onlyCopy.rawValue: .onlyCopy
        case .refreshFailed where [ProblemCode.dns, .connect].map(\.rawValue).contains(reason): .offline
        case .refreshDeferred: .deferred
        default: .other
        }
    }
}
