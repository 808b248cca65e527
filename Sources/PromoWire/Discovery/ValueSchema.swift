/// The schema of a value, for the OpenRPC document: the members of an object of JSON Schema.
package struct ValueSchema: JSONWritable, Sendable {
    /// A keyword of JSON Schema with its value.
    typealias Keyword = (name: String, value: any JSONWritable & Sendable)

    /// A member of an object, or a parameter.
    package struct Property: Sendable {
        package let name: String
        package let schema: ValueSchema
        let meaning: String
        /// Whether the object always has it, or a call without it is refused.
        package let isRequired: Bool

        init(_ name: String, _ schema: ValueSchema, _ meaning: String, isRequired: Bool = true) {
            (self.name, self.schema, self.meaning, self.isRequired) = (name, schema, meaning, isRequired)
        }

        /// The values that a parameter takes, and what they mean.
        package var words: String { "\(schema.words) (\(meaning))" }
    }

    private let keywords: [Keyword]
    /// The named schemas in this one, whose names are those of types in a generated client.
    package private(set) var components: [(name: String, schema: ValueSchema)] = []
    /// The values of a parameter in words.
    private let words: String
    /// A value of a parameter as JSON.
    package let example: String

    private init(
        _ keywords: [Keyword], parts: [ValueSchema] = [], words: String = "", example: String = ""
    ) {
        (self.keywords, self.words, self.example) = (keywords, words, example)
        components = parts.flatMap(\.components)
    }

    private init(type: String, _ more: [Keyword] = [], words: String = "", example: String = "") {
        self.init([("type", type)] + more, words: words, example: example)
    }

    package static let string = ValueSchema(type: "string", words: "a string", example: #""bookary""#)
    package static let integer = ValueSchema(type: "integer")
    package static let boolean = ValueSchema(type: "boolean", words: "true or false", example: "true")
    /// A time in UTC, as RFC 3339 writes it.
    package static let time = ValueSchema(type: "string", [("format", "date-time")])

    /// An integer that is not too small.
    static func integer(atLeast minimum: Int) -> ValueSchema {
        ValueSchema(
            type: "integer", [("minimum", minimum)], words: "an integer of \(minimum) or more", example: "\(minimum)")
    }

    /// A string that a regular expression matches.
    static func pattern(_ pattern: String, upTo length: Int? = nil, words: String, example: String) -> ValueSchema {
        let limits: [Keyword] = length.map { [("maxLength", $0)] } ?? []
        return ValueSchema(type: "string", [("pattern", pattern)] + limits, words: words, example: "\"\(example)\"")
    }

    /// One of some words.
    package static func choice(_ words: [String]) -> ValueSchema {
        ValueSchema(type: "string", [words.count == 1 ? ("const", words[0]) : ("enum", words)])
    }

    /// An array; the keywords limit its length.
    package static func array(_ element: ValueSchema) -> ValueSchema { array(element, []) }

    static func array(
        _ element: ValueSchema, _ limits: [Keyword], words: String = "", example: String = ""
    ) -> ValueSchema {
        ValueSchema(
            [("type", "array")] + limits + [("items", element)], parts: [element], words: words, example: example)
    }

    /// An object.
    /// - Parameter isClosed: whether it must not have other members.
    package static func object(_ members: [Property], isClosed: Bool = false) -> ValueSchema {
        let described = members.map { ($0.name, ValueSchema([("description", $0.meaning)] + $0.schema.keywords)) }
        return ValueSchema(
            [
                ("type", "object"), ("required", members.filter(\.isRequired).map(\.name)),
                ("properties", ValueSchema(described)),
            ] + (isClosed ? [("additionalProperties", false)] : []), parts: members.map(\.schema))
    }

    /// An object whose members all have one schema; some of them are always present.
    static func map(of value: ValueSchema, requiring names: [String] = []) -> ValueSchema {
        let required: [Keyword] = names.isEmpty ? [] : [("required", names)]
        return ValueSchema([("type", "object")] + required + [("additionalProperties", value)], parts: [value])
    }

    /// A value of one of two schemas.
    package static func either(_ first: ValueSchema, _ second: ValueSchema) -> ValueSchema {
        ValueSchema([("oneOf", [first, second])], parts: [first, second])
    }

    /// A value of any of some schemas, which may have values in common.
    package static func any(of schemas: [ValueSchema]) -> ValueSchema {
        ValueSchema([("anyOf", schemas)], parts: schemas)
    }

    /// A value of a schema, or null.
    package static func nullable(_ schema: ValueSchema) -> ValueSchema { either(schema, ValueSchema(type: "null")) }

    /// A reference to the schema, which becomes a component with the name.
    package func named(_ name: String) -> ValueSchema {
        var reference = ValueSchema([("$ref", "#/components/schemas/\(name)")])
        reference.components = [(name, ValueSchema([("title", name)] + keywords))] + components
        return reference
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, value) in keywords { writer.member(name, value) }
        }
    }
}
