/// What `tap` answers: where to send the person who tapped.
package struct TapResult: MethodResult, Equatable {
    /// The app that was tapped.
    package var app: String
    /// Its number in the store.
    package var appStoreID: String
    /// Its page in the store.
    package var storeURL: String
    /// What to show instead while there is no network; nil where there is one.
    package var offlineMessage: String?

    /// A result with its parts.
    package init(app: String, appStoreID: String, storeURL: String, offlineMessage: String?) {
        self.app = app
        self.appStoreID = appStoreID
        self.storeURL = storeURL
        self.offlineMessage = offlineMessage
    }

    /// Writes the result's JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("app", app)
            writer.member("appStoreID", appStoreID)
            writer.member("presentation", offlineMessage == nil ? "store" : "offline")
            if let offlineMessage { writer.member("message", offlineMessage) }
            writer.member("storeURL", storeURL)
        }
    }
}

extension TapResult {
    /// Reads a result.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init(
            app: try json.string("app"), appStoreID: try json.string("appStoreID"),
            storeURL: try json.string("storeURL"), offlineMessage: try json.optionalString("message"))
    }
}
