/// The result of checking a catalog, which `promod validate --json` prints.
package struct CatalogReport: JSONObject, Equatable {
    /// A broken rule or a probable mistake.
    package struct Finding: JSONObject, Equatable {
        /// The line and column, counted after the byte order mark if there is one.
        package var position = TextPosition(line: 1, column: 1)
        /// A JSON Pointer (RFC 6901) in which long names are cut.
        package var pointer = ""
        package var message = ""

        mutating func visitMembers(_ member: inout MemberVisitor) {
            member("line", &position.line, "the line, from 1")
            member("column", &position.column, "the column, from 1, in Unicode scalars")
            member("pointer", &pointer, "a JSON Pointer (RFC 6901), empty for the whole text")
            member("message", &message, "what is wrong and what to do, in whole sentences")
        }

        package init() {}

        /// Creates a finding, by default about the whole text.
        package init(
            position: TextPosition = TextPosition(line: 1, column: 1), pointer: String = "", message: String
        ) {
            (self.position, self.pointer, self.message) = (position, pointer, message)
        }

        /// The finding in the form of a compiler's message, without the name of the file.
        package var line: String { "\(position): \(text)" }

        /// The finding without its position.
        package var text: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
    }

    /// The contents of a valid catalog.
    package struct Content: Equatable, Sendable {
        package var apps: Int
        package var rules: Int
        package var generation: String

        /// Creates contents from their parts.
        package init(apps: Int, rules: Int, generation: String) {
            (self.apps, self.rules, self.generation) = (apps, rules, generation)
        }
    }

    package var name = ""
    /// nil if the catalog is not valid.
    package var content: Content?
    /// Probable mistakes.
    package var warnings: [Finding] = []
    /// Broken rules, at least one if the catalog is not valid.
    package var errors: [Finding] = []

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("catalog", &name, "the path of the catalog's file, or its address without user, password and query")
        member.special(
            [
                .init("good", .boolean, "whether the catalog is valid"),
                .init("apps", .nullable(.integer), "the number of apps"),
                .init("rules", .nullable(.integer), "the number of rules"),
                .init("generation", .nullable(.string), "the first 16 hexadecimal digits of its SHA-256"),
            ], write: { writeContent(to: &$0) },
            read: { json throws(MalformedResult) in try readContent(json) })
        member("warnings", &warnings, "probable mistakes")
        member("errors", &errors, "broken rules")
    }

    package init() {}

    /// Creates a report from its parts.
    package init(name: String, content: Content?, warnings: [Finding], errors: [Finding]) {
        (self.name, self.content, self.warnings, self.errors) = (name, content, warnings, errors)
    }

    private func writeContent(to writer: inout JSONWriter) {
        writer.member("good", content != nil)
        writer.member("apps", content?.apps)
        writer.member("rules", content?.rules)
        writer.member("generation", content?.generation)
    }

    private mutating func readContent(_ json: JSONValue) throws(MalformedResult) {
        guard try json.read("good") else { return }
        content = Content(
            apps: try json.read("apps"), rules: try json.read("rules"), generation: try json.read("generation"))
    }
}
