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

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("file", &file, "the path of the file")
        member("error", &error, "why it is ignored")
        member("cause", &cause, "what keeps promod from using it")
        member("catalog", &catalog, "the name of its catalog; null if it has none")
    }

    init() {}

    /// Creates a report from its parts.
    package init(file: String, error: String, cause: Cause = .invalid, catalog: String? = nil) {
        (self.file, self.error, self.cause, self.catalog) = (file, error, cause, catalog)
    }
}
