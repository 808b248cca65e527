/// The result of `icon`: an app's picture as it is on disk.
package struct IconResult: JSONObject {
    /// The media types that a picture may have.
    package enum MediaType: String, Word {
        case png = "image/png"
        case jpeg = "image/jpeg"
        case webp = "image/webp"
    }

    package var app = ""
    /// nil if there is no picture on disk.
    package var mediaType: MediaType?
    /// The picture in base64; nil if there is none on disk.
    package var data: OutsideText?

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("app", &app, "the id of the app")
        member("mediaType", &mediaType, "the picture's media type")
        member("data", &data, "the picture in base64; null if there is none on disk")
    }
}
