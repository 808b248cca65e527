/// A file of a catalog that promod does not use, as `status` reports it.
package struct IgnoredFile: Equatable, Sendable {
    /// What keeps promod from using it.
    package enum Cause: String, CaseIterable, Sendable {
        /// The file or its directory cannot be read, or its name is none of a catalog.
        case invalid
        /// Another file hides the catalog of its name.
        case hidden
        /// A more important file configures the catalog of its name.
        case shadowed
        /// Other catalogs have taken all places.
        case limit
    }

    package var file: String
    /// Why promod ignores it, as a sentence.
    package var error: String
    package var cause: Cause
    /// The name of its catalog; nil if it has none.
    package var catalog: String?
    /// The address in it, as ``HTTPSURL/description`` writes it; nil if it has none. `status` does not report it.
    package var address: String?

    /// Creates the report from its parts.
    package init(
        file: String, error: String, cause: Cause = .invalid, catalog: String? = nil, address: String? = nil
    ) {
        self.file = file
        self.error = error
        self.cause = cause
        self.catalog = catalog
        self.address = address
    }

    /// Writes the JSON object.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("file", file)
            writer.member("error", error)
            writer.member("cause", cause.rawValue)
            writer.member("catalog", catalog)
        }
    }

    /// Reads the object in a status; an earlier promod tells no cause.
    init(_ json: JSONValue) throws(MalformedResult) {
        self.init(
            file: try json.string("file"), error: try json.string("error"),
            cause: json["cause"].flatMap { $0.word() } ?? .invalid, catalog: json["catalog"]?.outsideText?.text)
    }
}
