/// Why a fetch failed, or why what it brought could not be stored.
package struct Failure: Error, Equatable, Sendable {
    /// The kind of failure: the stable words of `error.code`.
    package enum Code: String, CaseIterable, Sendable {
        case dns, connect, proxy, tls, timeout
        case httpStatus = "http-status"
        case redirect
        case tooLarge = "too-large"
        case encoding, json, schema, storage
        /// promod ended during the fetch.
        case interrupted
        /// More than half of the apps are missing.
        case shrunk
        /// The catalog has no good signature.
        case signature
    }

    /// The kind of failure, which programs may test for.
    package let code: Code
    /// A sentence for people: what happened, to what, and what to do. It never shows a URL's user, password or query.
    ///
    /// It is printable and has at most ``maximumLength`` Unicode scalars, because much of it may come from the origin, and it appears
    /// in replies, in the log, in the service manager's status and on disk.
    package let message: String

    /// The length of the longest message, in Unicode scalars.
    package static let maximumLength = 500

    /// Creates a failure. A message that is too long is cut short.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message.printable.elided(to: Self.maximumLength)
    }

    private static let later = " Since then: "

    /// The same with the failure that came after it, in the place of one that came before that.
    package func followed(by failure: Failure) -> Failure {
        let first = message.firstRange(of: Self.later).map { message[..<$0.lowerBound] } ?? message[...]
        return Failure(code, first + Self.later + failure.message)
    }

    /// What ``followed(by:)`` joined; nil if this is one failure.
    package var parts: (first: String, latest: String)? {
        // Other messages may hold any words of the origin.
        guard code == .signature else { return nil }
        return message.firstRange(of: Self.later).map {
            (String(message[..<$0.lowerBound]), String(message[$0.upperBound...]))
        }
    }
}

extension JSONWriter {
    /// Writes a member whose value is a failure or null.
    package mutating func member(_ name: String, _ failure: Failure?) {
        self.name(name)
        guard let failure else { return value(nil as String?) }
        object { writer in
            writer.member("code", failure.code.rawValue)
            writer.member("message", failure.message)
        }
    }
}
