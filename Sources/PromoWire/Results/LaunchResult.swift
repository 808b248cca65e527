/// The result of `launch`.
package struct LaunchResult: MethodResult, Equatable {
    package var app: String
    /// When the app was first launched.
    package var firstLaunch: Timestamp
    /// Whether this call recorded the first launch.
    package var isRecorded: Bool

    /// Creates a result from its parts.
    package init(app: String, firstLaunch: Timestamp, isRecorded: Bool) {
        self.app = app
        self.firstLaunch = firstLaunch
        self.isRecorded = isRecorded
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("app", app)
            writer.member("firstLaunch", firstLaunch)
            writer.member("recorded", isRecorded)
        }
    }
}

extension LaunchResult {
    /// Reads a result.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init(
            app: try json.string("app"), firstLaunch: try json.time("firstLaunch"),
            isRecorded: try json.boolean("recorded"))
    }
}
