/// A type of the protocol's values, which defines how they are written, read and described.
package protocol JSONRepresentable: JSONWritable, Sendable {
    static var schema: ValueSchema { get }

    /// The value; nil if it is absent or of another type.
    /// - Throws: ``MalformedResult`` for a member of an object.
    static func read(_ json: JSONValue?) throws(MalformedResult) -> Self?
}

/// A word of an enumeration.
package protocol Word: RawRepresentable<String>, CaseIterable, JSONRepresentable {
    /// The name of the schema.
    static var title: String { get }
}

extension Word {
    package func write(to writer: inout JSONWriter) { rawValue.write(to: &writer) }
    package static var title: String { "\(self)" }
    package static var schema: ValueSchema { .choice(allCases.map(\.rawValue)).named(title) }
    package static func read(_ json: JSONValue?) -> Self? { json?.word() }
}

/// A value that a reply carries as its `result`.
package protocol MethodResult: JSONRepresentable {
    init(_ json: JSONValue) throws(MalformedResult)
}

/// An object, which its members describe.
package protocol JSONObject: JSONRepresentable {
    /// The name of the schema.
    static var title: String { get }
    static var members: [Member<Self>] { get }

    /// Creates an object before its members are read.
    init()
}

extension JSONObject {
    package static var title: String { "\(self)" }
    package static var schema: ValueSchema { ValueSchema(members).named(title) }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for member in Self.members { member.write(self, &writer) }
        }
    }

    /// Reads the members. Unknown ones are ignored, and an absent member counts as null.
    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init()
        for member in Self.members { try member.read(json, &self) }
    }

    package static func read(_ json: JSONValue?) throws(MalformedResult) -> Self? {
        guard let json, json.kind == .object else { return nil }
        return try Self(json)
    }
}

extension ValueSchema {
    init<Root>(_ members: [Member<Root>]) { self = .object(members.flatMap { $0.schemas() }) }
}

extension String: JSONRepresentable {
    package static var schema: ValueSchema { .string }
    package func write(to writer: inout JSONWriter) { writer.string(utf8) }
    package static func read(_ json: JSONValue?) -> String? { json?.outsideText?.text }
}

extension OutsideText: JSONRepresentable {
    package static var schema: ValueSchema { .string }
    package func write(to writer: inout JSONWriter) { writer.string(bytes) }
    package static func read(_ json: JSONValue?) -> OutsideText? { json?.outsideText }
}

extension Int: JSONRepresentable {
    package static var schema: ValueSchema { .integer }
    package func write(to writer: inout JSONWriter) { writer.value(json: String(self).utf8) }
    package static func read(_ json: JSONValue?) -> Int? { json?.integer }
}

extension Bool: JSONRepresentable {
    package static var schema: ValueSchema { .boolean }
    package func write(to writer: inout JSONWriter) { writer.value(json: (self ? "true" : "false").utf8) }
    package static func read(_ json: JSONValue?) -> Bool? { json?.boolean }
}

extension Timestamp: JSONRepresentable {
    package static var schema: ValueSchema { .time }
    package func write(to writer: inout JSONWriter) { writer.string(rfc3339Bytes) }
    package static func read(_ json: JSONValue?) -> Timestamp? { json?.time }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.value(json: "null".utf8) }
    }
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
    package static var schema: ValueSchema { .nullable(Wrapped.schema) }
    package static func read(_ json: JSONValue?) throws(MalformedResult) -> Wrapped?? {
        guard let json, json.kind != .null else { return .some(nil) }
        guard let value = try Wrapped.read(json) else { return nil }
        return .some(value)
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.array { writer in
            for element in self { element.write(to: &writer) }
        }
    }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
    package static var schema: ValueSchema { .array(Element.schema) }
    package static func read(_ json: JSONValue?) throws(MalformedResult) -> [Element]? {
        guard let json, json.kind == .array else { return nil }
        var elements: [Element] = []
        for element in json.elements {
            guard let value = try Element.read(element) else {
                // If the element should be an object, the first member of that object is reported as missing.
                _ = try (Element.self as? any JSONObject.Type)?.init(element)
                return nil
            }
            elements.append(value)
        }
        return elements
    }
}

/// The error for a result in which a member is missing or has the wrong type.
package struct MalformedResult: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name of the first such member.
    package let member: String

    /// Creates an error that names the first such member.
    package init(member: String) {
        self.member = member
    }

    package var description: String { "\"\(member)\" is missing or not valid" }
}

extension JSONValue {
    /// A member. An optional one may be null or absent.
    package func read<Value: JSONRepresentable>(
        _ name: String, as type: Value.Type = Value.self
    ) throws(MalformedResult) -> Value {
        guard let value = try Value.read(self[name]) else { throw MalformedResult(member: name) }
        return value
    }
}
