/// The schema of a value in a result, for the OpenRPC document.
package indirect enum ValueSchema: Sendable {
    case string, integer, boolean
    /// A time in UTC, as RFC 3339 writes it.
    case time
    /// One of the given words.
    case choice([String])
    case array(ValueSchema)
    case object([Member])
    case nullable(ValueSchema)
    case either(ValueSchema, ValueSchema)

    /// A member of an object.
    package struct Member: Sendable {
        let name: String
        let schema: ValueSchema
        let meaning: String
        let isRequired: Bool
    }

    /// Describes a member, which a result may leave out unless it is required.
    static func member(
        _ name: String, _ schema: ValueSchema, _ meaning: String, isRequired: Bool = true
    ) -> Member {
        Member(name: name, schema: schema, meaning: meaning, isRequired: isRequired)
    }

    /// Writes the value's JSON Schema.
    package func write(to writer: inout JSONWriter) {
        writer.object { write(members: &$0, meaning: nil) }
    }

    private func write(members writer: inout JSONWriter, meaning: String?) {
        if let meaning { writer.member("description", meaning) }
        switch self {
        case .string: writer.member("type", "string")
        case .integer: writer.member("type", "integer")
        case .boolean: writer.member("type", "boolean")
        case .time:
            writer.member("type", "string")
            writer.member("format", "date-time")
        case .choice(let words): writer.member("enum", words)
        case .array(let element):
            writer.member("type", "array")
            writer.name("items")
            element.write(to: &writer)
        case .object(let members):
            writer.member("type", "object")
            writer.member("required", members.filter(\.isRequired).map(\.name))
            writer.name("properties")
            writer.object { writer in
                for member in members {
                    writer.name(member.name)
                    writer.object { member.schema.write(members: &$0, meaning: member.meaning) }
                }
            }
        case .nullable(let schema):
            writer.name("oneOf")
            writer.array { writer in
                schema.write(to: &writer)
                writer.object { $0.member("type", "null") }
            }
        case .either(let first, let second):
            writer.name("oneOf")
            writer.array { writer in
                first.write(to: &writer)
                second.write(to: &writer)
            }
        }
    }
}

extension ParameterType {
    /// Writes the members of the parameter's JSON Schema.
    func writeSchema(to writer: inout JSONWriter) {
        switch self {
        case .string: writer.member("type", "string")
        case .integer(let minimum, _):
            writer.member("type", "integer")
            writer.member("minimum", minimum)
        case .boolean: writer.member("type", "boolean")
        case .strings(let count, _):
            writer.member("type", "array")
            if count.lowerBound > 0 { writer.member("minItems", count.lowerBound) }
            writer.member("maxItems", count.upperBound)
            writer.name("items")
            writer.object { $0.member("type", "string") }
        case .storeNumber:
            writer.member("type", "string")
            writer.member("pattern", StoreNumber.pattern)
        case .catalog:
            writer.name("oneOf")
            writer.array { writer in
                Self.writeCatalog(CatalogReference.pattern, to: &writer)
                writer.object { writer in
                    writer.member("type", "object")
                    writer.member("required", ["name", "url"])
                    writer.member("additionalProperties", false)
                    writer.name("properties")
                    writer.object { writer in
                        writer.name("name")
                        Self.writeCatalog(CatalogReference.namePattern, to: &writer)
                        writer.name("url")
                        Self.writeCatalog(CatalogReference.addressPattern, to: &writer)
                    }
                }
            }
        case .path:
            writer.member("type", "string")
            writer.member("pattern", "^/")
            writer.member("maxLength", DiagnoseParameters.maximumPath)
        case .time:
            writer.member("type", "string")
            writer.member("format", "date-time")
        case .appID:
            writer.member("type", "string")
            writer.member("pattern", AppID.pattern)
        case .choices(let words, _):
            writer.member("type", "array")
            writer.member("minItems", 1)
            writer.name("items")
            writer.object { $0.member("enum", words) }
        }
    }

    private static func writeCatalog(_ pattern: String, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("type", "string")
            writer.member("pattern", pattern)
        }
    }
}
