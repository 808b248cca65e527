/// What `review-reset` answers.
package struct ReviewResetResult: MethodResult, Equatable {
    package var app: String
    /// Whether anything was remembered of the app.
    package var wasKnown: Bool

    /// A result with its parts.
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
