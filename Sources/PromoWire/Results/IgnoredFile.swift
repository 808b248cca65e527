/// A file of a catalog that promod does not use, as `status` reports it.
package struct IgnoredFile: JSONObject, Equatable {
    /// Why promod does not use it.
    package enum Cause: String, Word {
        /// The file or its directory cannot be read, or its name is not that of a catalog.
        case invalid
        /// Another file hides the catalog of its name.
        case hidden
        /// A more important file configures the catalog of its name.
        case shadowed
        /// There are too many catalogs.
        case limit

        package static let title = "IgnoredCause"
    }

    package var file = ""
    /// Why promod ignores it, as a sentence.
    package var error = ""
    package var cause = Cause.invalid
    /// The name of its catalog; nil if it has none.
    package var catalog: String?
    /// The address in it, as ``HTTPSURL/description`` writes it; nil if it has none. `status` does not report it.
    package var address: String?

    package static let members: [Member<IgnoredFile>] = [
        Member("file", \.file, "the path of the file"),
        Member("error", \.error, "why it is ignored"),
        Member("cause", \.cause, "what keeps promod from using it", isLenient: true),
        Member("catalog", \.catalog, "the name of its catalog; null if it has none", isLenient: true),
    ]

    package init() {}

    /// Creates a report from its parts.
    package init(
        file: String, error: String, cause: Cause = .invalid, catalog: String? = nil, address: String? = nil
    ) {
        (self.file, self.error, self.cause, self.catalog, self.address) = (file, error, cause, catalog, address)
    }
}
