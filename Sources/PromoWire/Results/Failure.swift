/// Why a fetch, or keeping what it brought, did not work.
package struct Failure: Error, Equatable, Sendable {
    /// The stable words for the kinds of failure, `error.code`.
    package enum Code: String, CaseIterable, Sendable {
        case dns, connect, tls, timeout
        case httpStatus = "http-status"
        case redirect
        case tooLarge = "too-large"
        case encoding, json, schema, storage
    }

    /// The word to test for.
    package let code: Code
    /// What happened, to what, and what to do; it may change, and never shows a URL's user, password or query.
    ///
    /// Printable, and at most ``maximumLength`` Unicode scalars: much of it may come from the origin, and it stands in replies, in the
    /// log, in the manager's status and on disk.
    package let message: String

    /// The longest message, in Unicode scalars.
    package static let maximumLength = 500

    /// A failure with its kind and message, of which only the beginning is kept if it is too long.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message.printable.elided(to: Self.maximumLength)
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
