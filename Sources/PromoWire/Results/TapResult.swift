/// The result of `tap`: where to send the person who tapped.
package struct TapResult: MethodResult, Equatable {
    /// The id of the app that was tapped.
    package var app: String
    /// The app's number in the App Store.
    package var appStoreID: String
    /// The address of the app's page in the store.
    package var storeURL: String
    /// The message to show instead of the page; nil if there is a network.
    package var offlineMessage: String?

    /// Creates a result from its parts.
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
