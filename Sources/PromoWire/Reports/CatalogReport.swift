/// The result of checking a catalog, which `promod validate --json` prints.
package struct CatalogReport: Equatable, Sendable {
    /// A broken rule, or a probable mistake.
    package struct Finding: Equatable, Sendable {
        /// The line and the column, both from 1; the column counts Unicode scalars.
        package var position: TextPosition
        /// A JSON Pointer (RFC 6901), empty for the whole text.
        package var pointer: String
        /// What is wrong and what to do, in whole sentences.
        package var message: String

        /// Creates a finding from its parts.
        package init(position: TextPosition, pointer: String, message: String) {
            self.position = position
            self.pointer = pointer
            self.message = message
        }

        /// The finding in the form of a compiler's message, without the name of the file.
        package var line: String { "\(position): \(text)" }

        /// The finding without its position.
        package var text: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
    }

    /// What is known of a catalog's signature.
    package enum Signature: String, Sendable {
        /// It is good.
        case good
        /// There is one, and no key to check it with.
        case unchecked = "not-checked"
    }

    /// What a valid catalog holds.
    package struct Content: Equatable, Sendable {
        package var apps: Int
        package var rules: Int
        package var generation: String
        /// nil if there is none.
        package var signature: Signature?

        /// Creates a content from its parts.
        package init(apps: Int, rules: Int, generation: String, signature: Signature? = nil) {
            self.apps = apps
            self.rules = rules
            self.generation = generation
            self.signature = signature
        }
    }

    /// The path of the catalog's file, or its address without user, password and query.
    package var name: String
    /// What the catalog holds; nil if it is not valid.
    package var content: Content?
    /// Probable mistakes.
    package var warnings: [Finding]
    /// Broken rules, at least one if the catalog is not valid.
    package var errors: [Finding]
    /// What should change in how the catalog and its icons are delivered, in whole sentences.
    package var delivery: [String] = []

    /// Creates a report from its parts.
    package init(name: String, content: Content?, warnings: [Finding], errors: [Finding]) {
        self.name = name
        self.content = content
        self.warnings = warnings
        self.errors = errors
    }

    /// Writes the report's JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("catalog", name)
            writer.member("good", content != nil)
            writer.member("apps", content?.apps)
            writer.member("rules", content?.rules)
            writer.member("generation", content?.generation)
            writer.member("signature", content?.signature?.rawValue)
            writer.member("warnings", warnings)
            writer.member("errors", errors)
            writer.member("delivery", delivery)
        }
    }

    /// Reads what ``write(to:)`` wrote.
    package init(_ json: JSONValue) throws(MalformedResult) {
        name = try json.string("catalog")
        if try json.boolean("good") {
            content = Content(
                apps: try json.integer("apps"), rules: try json.integer("rules"),
                generation: try json.string("generation"), signature: try json.optionalWord("signature"))
        }
        warnings = try json.findings("warnings")
        errors = try json.findings("errors")
        delivery = json["delivery"]?.elements.compactMap { $0.outsideText?.text } ?? []
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ findings: [CatalogReport.Finding]) {
        self.name(name)
        array { writer in
            for finding in findings {
                writer.object { writer in
                    writer.member("line", finding.position.line)
                    writer.member("column", finding.position.column)
                    writer.member("pointer", finding.pointer)
                    writer.member("message", finding.message)
                }
            }
        }
    }
}

extension JSONValue {
    fileprivate func findings(_ name: String) throws(MalformedResult) -> [CatalogReport.Finding] {
        guard let array = self[name], array.kind == .array else { throw MalformedResult(member: name) }
        var findings: [CatalogReport.Finding] = []
        for element in array.elements {
            findings.append(
                CatalogReport.Finding(
                    position: TextPosition(line: try element.integer("line"), column: try element.integer("column")),
                    pointer: try element.string("pointer"), message: try element.string("message")))
        }
        return findings
    }
}
