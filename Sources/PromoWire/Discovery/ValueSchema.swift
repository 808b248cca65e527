/// The schema of a value in a result, for the OpenRPC document.
package indirect enum ValueSchema: JSONWritable, Sendable {
    case string, integer, boolean
    /// A time in UTC, as RFC 3339 writes it.
    case time
    /// A string that the regular expression matches.
    case pattern(String)
    /// One of the given words.
    case choice([String])
    case array(ValueSchema)
    /// An object, which may have other members too.
    case object([Property])
    case nullable(ValueSchema)
    case either(ValueSchema, ValueSchema)
    /// A schema among the document's components, whose name is that of its type in a generated client.
    case component(String, ValueSchema)

    /// A keyword that limits a number, a string or an array.
    package typealias Limit = (keyword: String, value: Int)

    /// A member of an object.
    package struct Property: Sendable {
        let name: String
        let schema: ValueSchema
        let meaning: String
        /// Whether the object always has it.
        let isRequired: Bool

        init(_ name: String, _ schema: ValueSchema, _ meaning: String, isRequired: Bool = true) {
            (self.name, self.schema, self.meaning, self.isRequired) = (name, schema, meaning, isRequired)
        }
    }

    /// The schema as a component.
    package func named(_ name: String) -> ValueSchema { .component(name, self) }

    /// The components in this schema.
    package var components: [(name: String, schema: ValueSchema)] {
        switch self {
        case .string, .integer, .boolean, .time, .pattern, .choice: []
        case .array(let part), .nullable(let part): part.components
        case .object(let members): members.flatMap(\.schema.components)
        case .either(let first, let second): first.components + second.components
        case .component(let name, let schema): [(name, schema)] + schema.components
        }
    }

    package func write(to writer: inout JSONWriter) { write(to: &writer, title: nil) }

    /// Writes the value's JSON Schema, with a title if it is a component.
    package func write(to writer: inout JSONWriter, title: String?) {
        writer.object { writer in
            if let title { writer.member("title", title) }
            write(members: &writer)
        }
    }

    /// Writes the members of the value's JSON Schema.
    func write(members writer: inout JSONWriter, meaning: String? = nil, limits: [Limit] = []) {
        if let meaning { writer.member("description", meaning) }
        switch self {
        case .string: writer.member("type", "string")
        case .integer:
            writer.member("type", "integer")
            for (keyword, limit) in limits { writer.member(keyword, limit) }
        case .boolean: writer.member("type", "boolean")
        case .time:
            writer.member("type", "string")
            writer.member("format", "date-time")
        case .pattern(let pattern):
            writer.member("type", "string")
            writer.member("pattern", pattern)
            for (keyword, limit) in limits { writer.member(keyword, limit) }
        case .choice(let words):
            writer.member("type", "string")
            if words.count == 1 { writer.member("const", words[0]) } else { writer.member("enum", words) }
        case .array(let element):
            writer.member("type", "array")
            for (keyword, limit) in limits { writer.member(keyword, limit) }
            writer.member("items", element)
        case .object(let members):
            writer.member("type", "object")
            writer.member("required", members.filter(\.isRequired).map(\.name))
            writer.object("properties") { writer in
                for member in members {
                    writer.object(member.name) { member.schema.write(members: &$0, meaning: member.meaning) }
                }
            }
        case .nullable(let schema):
            writer.array("oneOf") { writer in
                writer.value(schema)
                writer.object { $0.member("type", "null") }
            }
        case .either(let first, let second):
            writer.array("oneOf") { writer in
                writer.value(first)
                writer.value(second)
            }
        case .component(let name, _): writer.member("$ref", "#/components/schemas/\(name)")
        }
    }
}
