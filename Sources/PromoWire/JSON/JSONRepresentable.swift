/// A type of the protocol's values, which defines how they are written, read and described.
package protocol JSONRepresentable: JSONWritable, Sendable {
    static var schema: ValueSchema { get }
    /// The name of the schema, if it has one.
    static var title: String { get }

    /// The value; nil if it is absent or of another type.
    /// - Throws: ``MalformedResult`` for a member of an object.
    static func read(_ json: JSONValue?) throws(MalformedResult) -> Self?
}

extension JSONRepresentable {
    package static var title: String { "\(self)" }
}

/// A word of an enumeration.
package protocol Word: RawRepresentable<String>, CaseIterable, JSONRepresentable {}

extension Word {
    package func write(to writer: inout JSONWriter) { rawValue.write(to: &writer) }
    package static var schema: ValueSchema { .choice(allCases.map(\.rawValue)).named(title) }
    package static func read(_ json: JSONValue?) -> Self? { json?.word() }
}

/// A word of an enumeration to which a newer promod may add words, so that a client keeps one that it does not know as text.
package struct Growing<Known: Word>: JSONRepresentable, Equatable {
    package let rawValue: String

    /// The word; nil if this version does not know it.
    package var known: Known? { Known(rawValue: rawValue) }

    package init(_ known: Known) { rawValue = known.rawValue }
    private init(rawValue: String) { self.rawValue = rawValue }

    package static var schema: ValueSchema { .any(of: [Known.schema, .string]) }
    package func write(to writer: inout JSONWriter) { rawValue.write(to: &writer) }
    package static func read(_ json: JSONValue?) -> Growing? { json?.ascii(upTo: 64).map(Growing.init(rawValue:)) }
}

/// Whether a word that may be new is the one.
package func == <Known>(left: Growing<Known>?, right: Known) -> Bool { left?.rawValue == right.rawValue }

/// Whether a word that may be new is another one.
package func != <Known>(left: Growing<Known>?, right: Known) -> Bool { !(left == right) }

/// A value that a reply carries as its `result`.
package protocol MethodResult: JSONRepresentable {
    init(_ json: JSONValue) throws(MalformedResult)
}

/// An object, which its members describe.
protocol JSONObject: MethodResult {
    /// Creates an object before its members are read.
    init()

    /// Visits the members. Nothing changes unless they are read; a member that an older promod does not send stays as it is.
    mutating func visitMembers(_ member: inout MemberVisitor)
}

extension JSONObject {
    package static var schema: ValueSchema { Self().described.named(title) }

    /// The schema of an object with these members.
    var described: ValueSchema {
        var object = self
        return .object(MemberVisitor.properties { object.visitMembers(&$0) })
    }

    package func write(to writer: inout JSONWriter) {
        var object = self
        writer.object { MemberVisitor.writeMembers(to: &$0) { object.visitMembers(&$0) } }
    }

    package init(_ json: JSONValue) throws(MalformedResult) {
        self.init()
        try readMembers(json)
    }

    mutating func readMembers(_ json: JSONValue) throws(MalformedResult) {
        try MemberVisitor.read(json, allowsAbsent: true) { visitMembers(&$0) }
    }

    package static func read(_ json: JSONValue?) throws(MalformedResult) -> Self? {
        guard let json, json.kind == .object else { return nil }
        return try Self(json)
    }
}

extension String: JSONRepresentable {
    package static var schema: ValueSchema { .string }
    package func write(to writer: inout JSONWriter) { writer.string(utf8.span) }
    package static func read(_ json: JSONValue?) -> String? { json?.outsideText?.text }
}

extension OutsideText: JSONRepresentable {
    package static var schema: ValueSchema { .string }
    package func write(to writer: inout JSONWriter) { writer.string(bytes.span) }
    package static func read(_ json: JSONValue?) -> OutsideText? { json?.outsideText }
}

extension Int: JSONRepresentable {
    package static var schema: ValueSchema { .integer }
    package func write(to writer: inout JSONWriter) { writer.literal(String(self)) }
    package static func read(_ json: JSONValue?) -> Int? { json?.integer }
}

extension Bool: JSONRepresentable {
    package static var schema: ValueSchema { .boolean }
    package func write(to writer: inout JSONWriter) { writer.literal(self ? "true" : "false") }
    package static func read(_ json: JSONValue?) -> Bool? { json?.boolean }
}

extension Timestamp: JSONRepresentable {
    package static var schema: ValueSchema { .time }
    package func write(to writer: inout JSONWriter) { writer.string(rfc3339Bytes.span) }
    package static func read(_ json: JSONValue?) -> Timestamp? { json?.time }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.literal("null") }
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
            guard let value = try Element.read(element) else { return nil }
            elements.append(value)
        }
        return elements
    }
}

extension [String: Int]: JSONWritable, JSONRepresentable {
    package static var schema: ValueSchema { .map(of: .integer) }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, value) in sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
        }
    }

    package static func read(_ json: JSONValue?) -> [String: Int]? {
        guard let json, json.kind == .object else { return nil }
        return Dictionary(
            json.members.compactMap { member in
                member.value.integer.flatMap { count in member.name.outsideText.map { ($0.text, count) } }
            }, uniquingKeysWith: { $1 })
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
