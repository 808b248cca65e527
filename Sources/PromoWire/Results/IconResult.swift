/// The result of `icon`: an app's picture as it lies on disk.
package struct IconResult: Sendable {
    /// A picture.
    package struct Picture: Sendable {
        /// The media types that a picture may have.
        package static let mediaTypes = ["image/png", "image/jpeg", "image/webp"]

        /// Its media type, such as `image/png`.
        package let mediaType: String
        /// Its bytes in base64.
        package let base64: [UInt8]

        /// A picture with its media type.
        package init(mediaType: String, base64: [UInt8]) {
            self.mediaType = mediaType
            self.base64 = base64
        }
    }

    /// The id of the app.
    package var app: String
    /// The picture; nil if there is none on disk.
    package var picture: Picture?

    /// Reads a result.
    package init(_ json: JSONValue) throws(MalformedResult) {
        app = try json.string("app")
        guard let mediaType = try json.optionalString("mediaType"), let data = json["data"]?.outsideText else { return }
        picture = Picture(mediaType: mediaType, base64: data.bytes)
    }
}
