/// The result of `launch`.
package struct LaunchResult: MethodResult, JSONObject, Equatable {
    package var app = ""
    package var firstLaunch = Timestamp(seconds: 0)
    package var isRecorded = false

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("app", &app, "the id of the app that was launched")
        member("firstLaunch", &firstLaunch, "when the app was first launched")
        member("recorded", &isRecorded, "whether this call recorded the first launch")
    }

    package init() {}

    /// Creates a result from its parts.
    package init(app: String, firstLaunch: Timestamp, isRecorded: Bool) {
        (self.app, self.firstLaunch, self.isRecorded) = (app, firstLaunch, isRecorded)
    }
}

/// The result of `review-reset`.
package struct ReviewResetResult: MethodResult, JSONObject, Equatable {
    package var app = ""
    package var wasKnown = false

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("app", &app, "the id of the app")
        member("reset", &wasKnown, "whether there was anything to forget about the app")
    }

    package init() {}

    /// Creates a result from its parts.
    package init(app: String, wasKnown: Bool) {
        (self.app, self.wasKnown) = (app, wasKnown)
    }
}
