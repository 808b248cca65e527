/// What went wrong between this process and promod, in a form for programs and in words that say what to do.
public struct PromoError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of errors.
    public enum Code: String, Sendable {
        /// No promod listens on the socket.
        case daemonUnreachable
        /// promod took the request and did not answer in time.
        case timedOut
        /// The connection ended before the answer came.
        case connectionLost
        /// What came is no answer of the protocol.
        case badReply
        /// promod refused the request; ``PromoError/reason`` says why.
        case refused
        /// promod keeps another catalog than the one that was asked for.
        case otherCatalog
        /// The catalog could not be fetched; what was there before is still served.
        case refreshFailed
        /// The task that asked was cancelled.
        case cancelled
    }

    /// What kind of error it is.
    public let code: Code
    /// The daemon's stable word for a refusal, such as `busy` or `unknown-app`; nil for the other kinds.
    public let reason: String?
    /// What happened, to what, and what to do; for people, and it may change.
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
