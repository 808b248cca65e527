/// The result of `icon`: an app's picture as it is on disk.
package struct IconResult: MethodResult, JSONObject {
    /// A picture.
    package struct Picture: Sendable {
        /// The media types that a picture may have.
        package static let mediaTypes = ["image/png", "image/jpeg", "image/webp"]

        /// Its media type, such as `image/png`.
        package let mediaType: String
        /// Its bytes in base64.
        package let base64: [UInt8]

        /// Creates a picture with its media type.
        package init(mediaType: String, base64: [UInt8]) {
            (self.mediaType, self.base64) = (mediaType, base64)
        }
    }

    package var app = ""
    /// The picture; nil if there is none on disk.
    package var picture: Picture?

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("app", &app, "the id of the app")
        member.special(
            [
                .init(
                    "mediaType", .nullable(.choice(Picture.mediaTypes).named("MediaType")),
                    "the picture's media type"),
                .init("data", .nullable(.string), "the picture in base64; null if there is none on disk"),
            ],
            write: { writer in
                writer.member("mediaType", picture?.mediaType)
                writer.member("data", (picture?.base64).map { OutsideText($0) })
            },
            read: { json throws(MalformedResult) in
                guard let mediaType = try json.read("mediaType", as: String?.self), let data = json["data"]?.outsideText
                else { return }
                picture = Picture(mediaType: mediaType, base64: data.bytes)
            })
    }

    package init() {}

    /// Creates a result from its parts.
    package init(app: String, picture: Picture?) {
        (self.app, self.picture) = (app, picture)
    }
}
