/// The stable words for errors, in `error.data.reason`, each with its JSON-RPC code.
package enum ErrorReason: String, Word {
    case parseError = "parse-error"
    case invalidRequest = "invalid-request"
    case unknownMethod = "unknown-method"
    case invalidParams = "invalid-params"
    case unknownApp = "unknown-app"
    case noCatalog = "no-catalog"
    case tooLarge = "too-large"
    case busy
    case noOrigin = "no-origin"
    case notStored = "not-stored"
    case badConfiguration = "bad-configuration"
    case unknownCatalog = "unknown-catalog"
    case onlyCopy = "only-copy"

    /// The number in `error.code`.
    package var code: Int { description.code }

    /// The meaning, in a sentence.
    package var meaning: String { description.meaning }

    private var description: (code: Int, meaning: String) {
        switch self {
        case .parseError: (-32700, "The line is not strict JSON.")
        case .invalidRequest: (-32600, "The line is not a request object.")
        case .unknownMethod: (-32601, "There is no such method.")
        case .invalidParams: (-32602, "A parameter is unknown, missing or wrong; nothing has happened.")
        case .unknownApp: (-32001, "The app is not in the catalog.")
        case .noCatalog: (-32002, "There is no catalog, or none yet.")
        case .tooLarge: (-32004, "The line is longer than \(Call.maximumLength) bytes; the connection is closed.")
        case .busy: (-32005, "There are too many connections or subscribers, or promod is starting or stopping.")
        case .noOrigin: (-32006, "No address is configured for the catalog, or the configuration is broken.")
        case .notStored:
            (
                -32007,
                "The review history could not be read or written, or the cache could not be cleared; nothing changed."
            )
        case .badConfiguration: (-32008, "The configuration is broken; the old one stays in force.")
        case .unknownCatalog: (-32009, "No catalog of that name or address is configured.")
        case .onlyCopy: (-32010, "The cached catalog may be the only copy; with force it is cleared.")
        }
    }
}

/// An error reply: a stable reason for programs and a message for people.
package struct RequestError: Error, Equatable, Sendable {
    /// The word that programs compare.
    package let reason: ErrorReason
    /// What happened, to what, and what to do. The text may change between versions.
    package let message: String

    /// Creates an error from its reason and message.
    package init(_ reason: ErrorReason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}

extension ValueSchema {
    /// The value of `error` in a reply.
    package static let error: ValueSchema = object([
        Property("code", .integer, "the number of the reason"),
        Property("message", .string, "what happened, and what to do, for people"),
        Property(
            "data",
            object([Property("reason", Growing<ErrorReason>.schema, "for programs to test")]).named("ErrorData"),
            "the reason"),
    ]).named("RequestError")
}
