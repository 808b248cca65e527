/// The result of `review-return`.
package struct ReviewReturnResult: MethodResult, Equatable {
    package var app: String
    /// Whether the request was given back, so that it does not count.
    package var isReturned: Bool

    /// Creates a result from its parts.
    package init(app: String, isReturned: Bool) {
        self.app = app
        self.isReturned = isReturned
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("app", app)
            writer.member("returned", isReturned)
        }
    }

    /// Reads a result.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init(app: try json.string("app"), isReturned: try json.boolean("returned"))
    }
}
