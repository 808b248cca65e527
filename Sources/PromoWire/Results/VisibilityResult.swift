/// The result of `hide` and `show`.
package struct VisibilityResult: MethodResult, Equatable {
    package var app: String
    /// Whether lists leave the app out from now on.
    package var isHidden: Bool
    /// Whether that was otherwise before.
    package var hasChanged: Bool

    /// Creates a result from its parts.
    package init(app: String, isHidden: Bool, hasChanged: Bool) {
        (self.app, self.isHidden, self.hasChanged) = (app, isHidden, hasChanged)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("app", app)
            writer.member("hidden", isHidden)
            writer.member("changed", hasChanged)
        }
    }

    /// Reads a result.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init(
            app: try json.string("app"), isHidden: try json.boolean("hidden"), hasChanged: try json.boolean("changed"))
    }
}
