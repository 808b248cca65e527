/// The result of `launch`.
package struct LaunchResult: MethodResult, JSONObject, Equatable {
    package var app = ""
    package var firstLaunch = Timestamp(seconds: 0)
    package var isRecorded = false

    package static let members: [Member<LaunchResult>] = [
        Member("app", \.app, "the id of the app that was launched"),
        Member("firstLaunch", \.firstLaunch, "when the app was first launched"),
        Member("recorded", \.isRecorded, "whether this call recorded the first launch"),
    ]

    package init() {}

    /// Creates a result from its parts.
    package init(app: String, firstLaunch: Timestamp, isRecorded: Bool) {
        (self.app, self.firstLaunch, self.isRecorded) = (app, firstLaunch, isRecorded)
    }
}

/// The result of `review-return`.
package struct ReviewReturnResult: MethodResult, JSONObject, Equatable {
    package var app = ""
    package var isReturned = false

    package static let members: [Member<ReviewReturnResult>] = [
        Member("app", \.app, "the id of the app"),
        Member(
            "returned", \.isReturned,
            "whether the request does not count any more; false if it is not the latest, or older than 10 minutes"),
    ]

    package init() {}

    /// Creates a result from its parts.
    package init(app: String, isReturned: Bool) {
        (self.app, self.isReturned) = (app, isReturned)
    }
}

/// The result of `review-reset`.
package struct ReviewResetResult: MethodResult, JSONObject, Equatable {
    package var app = ""
    package var wasKnown = false

    package static let members: [Member<ReviewResetResult>] = [
        Member("app", \.app, "the id of the app"),
        Member("reset", \.wasKnown, "whether there was anything to forget about the app"),
    ]

    package init() {}

    /// Creates a result from its parts.
    package init(app: String, wasKnown: Bool) {
        (self.app, self.wasKnown) = (app, wasKnown)
    }
}

/// The result of `hide` and `show`.
package struct VisibilityResult: MethodResult, JSONObject, Equatable {
    package var app = ""
    package var isHidden = false
    package var hasChanged = false

    package static let members: [Member<VisibilityResult>] = [
        Member("app", \.app, "the id of the app"),
        Member("hidden", \.isHidden, "whether lists leave the app out from now on"),
        Member("changed", \.hasChanged, "whether this call changed that"),
    ]

    package init() {}

    /// Creates a result from its parts.
    package init(app: String, isHidden: Bool, hasChanged: Bool) {
        (self.app, self.isHidden, self.hasChanged) = (app, isHidden, hasChanged)
    }
}
