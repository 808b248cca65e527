/// Why a fetch failed, or why the fetched catalog could not be stored.
package struct Failure: Error, Equatable, Sendable {
    /// The kind of failure: the stable words of `error.code`.
    package enum Code: String, Word {
        case dns, connect, proxy, tls, timeout
        case httpStatus = "http-status"
        case redirect
        case tooLarge = "too-large"
        case encoding, json, schema, storage
        /// promod ended during the fetch.
        case interrupted

        package static let title = "FailureCode"
    }

    /// The kind of failure, which programs may test for.
    package let code: Code
    /// A sentence for people: what happened, to what, and what to do. It never shows a URL's user, password or query.
    ///
    /// It is printable and has at most ``maximumLength`` Unicode scalars, because much of it may come from the origin, and it appears
    /// in replies, in the log, in the service manager's status and on disk.
    package let message: String

    /// The maximum length of a message, in Unicode scalars.
    package static let maximumLength = 500

    /// Creates a failure, and cuts a message that is too long.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message.printable.elided(to: Self.maximumLength)
    }
}

extension Failure: JSONRepresentable {
    package static var schema: ValueSchema {
        .object([
            .init("code", Code.schema, "the kind of failure, for programs to test"),
            .init("message", .string, "a sentence for people"),
        ]).named("Failure")
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", code)
            writer.member("message", message)
        }
    }

    package static func read(_ json: JSONValue?) throws(MalformedResult) -> Failure? {
        guard let json, json.kind == .object else { return nil }
        return Failure(try json.read("code"), try json.read("message"))
    }
}
