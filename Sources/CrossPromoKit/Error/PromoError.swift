/// What went wrong between this process and promod: a code for programs, the detail for a log, and, as a `LocalizedError`,
/// plain sentences for the person who uses a host app.
public struct PromoError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of errors; a later version may have more of them.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The kind in a word.
        public let rawValue: String

        /// The kind of a word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The word.
        public var description: String { rawValue }

        /// No promod listens on the socket.
        public static let daemonUnreachable = Code(rawValue: "daemonUnreachable")
        /// promod took the request and did not answer in time.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The connection ended before the answer came.
        public static let connectionLost = Code(rawValue: "connectionLost")
        /// The answer does not follow the protocol.
        public static let badReply = Code(rawValue: "badReply")
        /// promod refused the request; ``PromoError/reason`` says why.
        public static let refused = Code(rawValue: "refused")
        /// promod keeps another catalog than the one that was asked for.
        public static let otherCatalog = Code(rawValue: "otherCatalog")
        /// The catalog could not be fetched; what was there before is still served.
        public static let refreshFailed = Code(rawValue: "refreshFailed")
        /// The configuration's `currentAppID` is not an app's id; nothing was sent.
        public static let invalidAppID = Code(rawValue: "invalidAppID")
        /// The task that asked was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// What kind of error it is.
    public let code: Code
    /// The daemon's stable word for a refusal, such as `busy`, or for a fetch that failed, such as `dns`; nil for the other kinds.
    public let reason: String?
    /// What happened, to what, and what to do, with addresses and paths; for a log, and it may change.
    public let message: String

    /// An error as a host app's previews and tests need it.
    public init(_ code: Code, reason: String? = nil, _ message: String) {
        self.code = code
        self.reason = reason
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
