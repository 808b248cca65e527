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
    package let message: String

    /// A failure with its kind and message.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
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
