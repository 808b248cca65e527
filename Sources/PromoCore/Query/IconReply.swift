import PromoWire

/// The result of `icon` as the daemon writes it, with a picture that all replies share. A client reads it as ``IconResult``.
package struct IconReply: Sendable {
    /// The id of the app.
    package let app: String
    /// The picture with its media type, in base64; nil if there is none on disk.
    package let picture: (mediaType: String, base64: SharedBytes)?

    /// Creates a reply from its parts.
    package init(app: String, picture: (mediaType: String, base64: SharedBytes)?) {
        self.app = app
        self.picture = picture
    }

    /// Writes the result's JSON object.
    package func write(to output: inout OutputQueue) {
        output.json.append("{")
        output.json.member("app", app)
        output.json.member("mediaType", picture?.mediaType)
        output.json.name("data")
        if let picture {
            output.json.append("\"")
            output.append(picture.base64)
            output.json.append("\"}")
        } else {
            output.json.append("null}")
        }
    }
}
