/// Another name of a catalog: a file that names the same address, as `status` reports it.
package struct CatalogAlias: Equatable, Sendable {
    package var name: String
    /// The path of the file.
    package var file: String
    /// What is wrong in the file, which takes nothing from the catalog; nil if nothing is.
    package var error: String?

    /// Creates an alias from its parts.
    package init(name: String, file: String, error: String? = nil) {
        self.name = name
        self.file = file
        self.error = error
    }

    /// Writes the JSON object.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("file", file)
            writer.member("error", error)
        }
    }

    /// Reads the object in a status.
    init(_ json: JSONValue) throws(MalformedResult) {
        self.init(
            name: try json.string("name"), file: try json.string("file"), error: try json.optionalString("error"))
    }
}
