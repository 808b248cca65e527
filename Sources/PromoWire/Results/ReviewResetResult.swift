/// The result of `review-reset`.
package struct ReviewResetResult: MethodResult, Equatable {
    package var app: String
    /// Whether there was anything to forget about the app.
    package var wasKnown: Bool

    /// Creates a result from its parts.
    package init(app: String, wasKnown: Bool) {
        self.app = app
        self.wasKnown = wasKnown
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("app", app)
            writer.member("reset", wasKnown)
        }
    }

    /// Reads a result.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init(app: try json.string("app"), wasKnown: try json.boolean("reset"))
    }
}
