import PromoTestSupport
import PromoWire

/// Checks a value against a JSON Schema, with the few keywords that the OpenRPC document uses.
///
/// An object may have only the members that its schema names; if the schema names none, it may have any.
struct SchemaCheck {
    /// The violations, each with its path.
    private(set) var findings: [String] = []

    private let document: JSONValue?

    /// Checks a value; the document has the schemas to which this one refers.
    init(_ value: JSONValue, _ schema: JSONValue, in document: JSONValue? = nil) {
        self.document = document
        check(value, schema, at: "")
    }

    private mutating func check(_ value: JSONValue, _ schema: JSONValue, at path: String) {
        for (keyword, argument) in schema.members {
            switch keyword.string ?? "" {
            case "type": expect(argument.string == Self.type(value), path, "is no \(argument.string ?? "")")
            case "format": expect(Timestamp(rfc3339: value.string ?? "") != nil, path, "is no time")
            case "$ref":
                let name = argument.string?.split(separator: "/").last ?? ""
                if let component = document?["components"]?["schemas"]?[String(name)] {
                    check(value, component, at: path)
                } else {
                    expect(false, path, "refers to \(name), which is not there")
                }
            case "const": expect(argument.text == value.text, path, "is another word")
            case "enum": expect(argument.elements.contains { $0.text == value.text }, path, "is none of the words")
            case "required":
                for name in argument.elements.compactMap(\.string) {
                    expect(value[name] != nil, "\(path)/\(name)", "is missing")
                }
            case "properties": checkMembers(of: value, argument, at: path)
            case "additionalProperties":
                for (name, member) in value.members { check(member, argument, at: "\(path)/\(name.string ?? "")") }
            case "items":
                for (index, element) in value.elements.enumerated() { check(element, argument, at: "\(path)/\(index)") }
            case "oneOf":
                let count = argument.elements.filter { SchemaCheck(value, $0, in: document).findings.isEmpty }.count
                expect(count == 1, path, "satisfies \(count) of the schemas instead of one")
            case "anyOf":
                let isAny = argument.elements.contains { SchemaCheck(value, $0, in: document).findings.isEmpty }
                expect(isAny, path, "satisfies none of the schemas")
            case "description", "title": break
            case let other: expect(false, path, "is judged by \(other), which is not known")
            }
        }
    }

    private mutating func checkMembers(of value: JSONValue, _ properties: JSONValue, at path: String) {
        guard properties.members.contains(where: { _ in true }) else { return }
        for (name, member) in value.members {
            let name = name.string ?? ""
            if let schema = properties[name] {
                check(member, schema, at: "\(path)/\(name)")
            } else {
                expect(false, "\(path)/\(name)", "is not named")
            }
        }
    }

    private mutating func expect(_ holds: Bool, _ path: String, _ finding: String) {
        if !holds { findings.append("\(path) \(finding)") }
    }

    private static func type(_ value: JSONValue) -> String {
        switch value.kind {
        case .object: "object"
        case .array: "array"
        case .string: "string"
        case .number: value.integer == nil ? "number" : "integer"
        case .true, .false: "boolean"
        case .null: "null"
        }
    }
}
