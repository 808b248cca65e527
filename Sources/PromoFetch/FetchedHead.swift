package import PromoWire

/// What promod uses of a response's head.
package struct FetchedHead: Equatable, Sendable {
    /// The status, from 100 to 999.
    package var status: Int
    /// The words after it; HTTP/2 has none.
    package var phrase: OutsideText
    package var etag: OutsideText?
    package var lastModified: OutsideText?
    package var retryAfter: OutsideText?
    /// The response's age in a cache, in seconds; nil if it says none.
    package var age: Int?
    /// When the origin made the response, by its own clock.
    package var date: OutsideText?
    /// Whether the body came compressed; false if there is none.
    package var isCompressed = false
    /// Where a redirect leads, relative to nothing; empty if its `Location` is not valid.
    package var location: OutsideText?

    /// A head without fields.
    package init(status: Int, phrase: OutsideText = "") {
        self.status = status
        self.phrase = phrase
    }

    /// Writes the head as a JSON object.
    func write(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("status", status)
            writer.member("phrase", phrase)
            writer.member("etag", etag)
            writer.member("lastModified", lastModified)
            writer.member("retryAfter", retryAfter)
            if let age { writer.member("age", age) }
            writer.member("date", date)
            if isCompressed { writer.member("compressed", true) }
            writer.member("location", location)
        }
    }

    /// Reads what ``write(into:)`` wrote; nil for anything else.
    init?(_ value: JSONValue) {
        guard let status = value["status"]?.integer, 100...999 ~= status else { return nil }
        self.init(status: status, phrase: value["phrase"]?.outsideText ?? "")
        etag = value["etag"]?.outsideText
        lastModified = value["lastModified"]?.outsideText
        retryAfter = value["retryAfter"]?.outsideText
        age = value["age"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
        date = value["date"]?.outsideText
        isCompressed = value["compressed"]?.boolean ?? false
        location = value["location"]?.outsideText
    }
}
