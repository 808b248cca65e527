/// A parameter of a method.
package struct ParameterDescription: Sendable {
    /// The name of the member of `params`.
    package let name: String
    /// The values that the parameter takes, and what they mean.
    package let words: String
    /// A value as JSON.
    package let example: String
    /// Whether a call without the parameter is refused.
    package let isRequired: Bool
    /// Makes the schema, which only `rpc.discover` needs.
    fileprivate let makeSchema: @Sendable () -> ValueSchema
    let limits: [ValueSchema.Limit]
    /// Names that a client may use by mistake, because the parameter is called so elsewhere.
    fileprivate let synonyms: [String]

    var schema: ValueSchema { makeSchema() }

    /// Whether another name was probably meant to be this one: a synonym, another case, or an edit distance of 1 or 2.
    func isProbablyMeant(by other: OutsideText) -> Bool {
        guard let other = other.ascii(upTo: 64) else { return false }
        if synonyms.contains(other) { return true }
        let (written, right) = (Array(other.lowercased().utf8), Array(name.utf8))
        return editDistance(written, right) <= (right.count > 4 ? 2 : 1)
    }
}

/// A parameter with its place among the parameters of a method.
struct Parameter<Parameters>: Sendable {
    let description: ParameterDescription
    /// Stores an argument; false if it is null, has another type or is out of range.
    let read: @Sendable (JSONValue, inout Parameters) -> Bool
    /// Writes the member, unless it may be left out.
    let write: @Sendable (Parameters, inout JSONWriter) -> Void

    /// A parameter that has a value in every request.
    /// - Parameter leftOut: the value that is not written, because a call without the parameter means the same; nil if there is none.
    init<Value>(
        _ name: String, _ type: ParameterType<Value>, _ path: Path<Parameters, Value>,
        _ meaning: String, isRequired: Bool = false, leftOut: Value? = nil, meantBy synonyms: [String]
    ) {
        description = type.description(name, meaning, isRequired, synonyms)
        read = { argument, parameters in
            guard let value = type.read(argument) else { return false }
            parameters[keyPath: path] = value
            return true
        }
        write = { parameters, writer in
            let value = parameters[keyPath: path]
            if value != leftOut { writer.member(name, value) }
        }
    }

    /// A parameter without which the value is nil.
    init<Value>(
        _ name: String, _ type: ParameterType<Value>, _ path: Path<Parameters, Value?>,
        _ meaning: String, meantBy synonyms: [String]
    ) {
        description = type.description(name, meaning, false, synonyms)
        read = { argument, parameters in
            guard let value = type.read(argument) else { return false }
            parameters[keyPath: path] = value
            return true
        }
        write = { parameters, writer in
            if let value = parameters[keyPath: path] { writer.member(name, value) }
        }
    }
}

/// The values that a parameter takes.
struct ParameterType<Value: JSONWritable & Equatable & Sendable>: Sendable {
    /// The values in words.
    let words: String
    private let example: String
    private let makeSchema: @Sendable () -> ValueSchema
    private let limits: [ValueSchema.Limit]
    /// The value; nil for one of another type or out of the range.
    let read: @Sendable (JSONValue) -> Value?

    init(
        _ words: String, example: String, schema: @autoclosure @escaping @Sendable () -> ValueSchema,
        limits: [ValueSchema.Limit] = [], read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        (self.words, self.example, makeSchema, self.limits, self.read) = (words, example, schema, limits, read)
    }

    fileprivate func description(
        _ name: String, _ meaning: String, _ isRequired: Bool, _ synonyms: [String]
    ) -> ParameterDescription {
        ParameterDescription(
            name: name, words: "\(words), \(meaning)", example: example, isRequired: isRequired,
            makeSchema: makeSchema, limits: limits, synonyms: synonyms)
    }

    /// Any string.
    static func text(example: String = #""bookary""#, _ read: @escaping @Sendable (OutsideText) -> Value) -> Self {
        Self("a string", example: example, schema: .string) { $0.outsideText.map(read) }
    }
}

extension ParameterType<Bool> {
    static var boolean: ParameterType {
        ParameterType("true or false", example: "true", schema: .boolean, read: \.boolean)
    }
}

extension ParameterType<Int> {
    static func integer(atLeast minimum: Int) -> ParameterType {
        ParameterType(
            "an integer of \(minimum) or more", example: "\(minimum)", schema: .integer, limits: [("minimum", minimum)]
        ) { value in value.integer.flatMap { $0 >= minimum ? $0 : nil } }
    }
}

extension ParameterType<String> {
    static var appID: ParameterType {
        ParameterType("a string of \(AppID.form)", example: #""fittoday""#, schema: .pattern(AppID.pattern)) {
            AppID.id(in: $0)
        }
    }

    static var storeNumber: ParameterType {
        ParameterType(StoreNumber.form, example: #""6470000004""#, schema: .pattern(StoreNumber.pattern)) { value in
            value.ascii(upTo: StoreNumber.maximumLength).flatMap { StoreNumber.isWellFormed($0) ? $0 : nil }
        }
    }
}

extension ParameterType<Timestamp> {
    static var time: ParameterType {
        let example = #""2026-11-21T07:41:05Z""#
        return ParameterType("a time such as \(example)", example: example, schema: .time, read: \.time)
    }
}

extension ParameterType<OutsideText> {
    /// An absolute path.
    static func path(upTo length: Int) -> ParameterType {
        ParameterType(
            "an absolute path of at most \(length) bytes", example: #""/etc/ssl/certs/ca.pem""#,
            schema: .pattern("^/"), limits: [("maxLength", length)]
        ) { value in
            value.outsideText.flatMap { $0.bytes.first == UInt8(ascii: "/") && $0.bytes.count <= length ? $0 : nil }
        }
    }
}

extension ParameterType<[String]> {
    /// An array of texts.
    /// - Parameter read: reads an element; nil if it is left out.
    static func texts(
        _ count: ClosedRange<Int>, _ read: @escaping @Sendable (OutsideText) -> String?
    ) -> ParameterType {
        ParameterType(
            "an array of \(count.lowerBound) to \(count.upperBound) strings", example: #"["bookary"]"#,
            schema: .array(.string),
            limits: (count.lowerBound > 0 ? [("minItems", count.lowerBound)] : []) + [("maxItems", count.upperBound)]
        ) { value in
            guard value.kind == .array else { return nil }
            let texts = value.elements.prefix(count.upperBound + 1).map(\.outsideText)
            guard count.contains(texts.count), !texts.contains(nil) else { return nil }
            return texts.compactMap { $0.flatMap(read) }
        }
    }
}

extension ParameterType where Value: RawRepresentable<String> & CaseIterable {
    /// One of the words of an enumeration.
    static var choice: ParameterType {
        let words = Value.allCases.map(\.rawValue)
        return ParameterType(
            "one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))", example: "\"\(words[0])\"",
            schema: .choice(words)
        ) { $0.word() }
    }
}

extension ParameterType<[EventKind]> {
    /// An array of some of the kinds.
    static var events: ParameterType {
        let words = EventKind.allCases.map(\.rawValue)
        return ParameterType(
            "an array of some of \(words.map { "\"\($0)\"" }.joined(separator: ", "))", example: "[\"\(words[0])\"]",
            schema: .array(.choice(words)), limits: [("minItems", 1)]
        ) { value in
            let kinds = value.elements.map { $0.word(EventKind.self) }
            return kinds.isEmpty || kinds.contains(nil) ? nil : kinds.compactMap(\.self)
        }
    }
}

extension Parameter<CatalogReference?> {
    static var catalog: Parameter { catalog("the default one if it is left out") }

    static func catalog(_ meaning: String) -> Parameter {
        let type = ParameterType(
            "a catalog's name (\(CatalogReference.nameForm)) or https address, or {\"name\":…,\"url\":…} with both",
            example: #""acme""#, schema: CatalogReference.schema
        ) { CatalogReference($0) }
        return Parameter(
            "catalog", type, \.self, meaning, meantBy: ["name", "url", "jsonURL", "origin", "publisher"])
    }
}

extension Parameter {
    static func host(
        _ path: Path<Parameters, String?>, _ meaning: String = "the id of the app that asks",
        meantBy synonyms: [String] = ["currentAppID", "currentApp", "hostID", "host_id"]
    ) -> Parameter {
        Parameter("host", .appID, path, meaning, meantBy: synonyms)
    }

    /// An app of the catalog. Any text is accepted, so that the refusal of an unknown id can suggest one.
    static func knownApp(_ path: Path<Parameters, String>) -> Parameter {
        Parameter(
            "app", .text(AppID.id(orShown:)), path, "an app's id", isRequired: true,
            meantBy: ["id", "appID", "appId", "app_id"])
    }

    /// Any app.
    static func app(_ path: Path<Parameters, String>) -> Parameter {
        Parameter(
            "app", .appID, path, "an app's id", isRequired: true,
            meantBy: ["id", "appID", "appId", "app_id", "host", "currentAppID"])
    }

    static func language<Value>(
        _ path: Path<Parameters, Value?>, _ read: @escaping @Sendable (OutsideText) -> Value
    ) -> Parameter where Value: JSONWritable & Equatable & Sendable {
        Parameter(
            "language", .text(read), path, "a BCP 47 tag such as ko-KR or a locale such as ja_JP.UTF-8",
            meantBy: ["lang", "locale", "hl"])
    }
}
