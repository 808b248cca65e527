/// The values that a parameter takes.
struct ParameterType<Value> {
    // Closures, because messages and `rpc.discover` alone need what they return, and a type is made for each argument.

    /// The values in words.
    let words: () -> String
    /// A value as JSON.
    let example: () -> String
    let schema: () -> ValueSchema
    let limits: () -> [ValueSchema.Limit]
    /// The value; nil for one of another type or out of the range.
    let read: (JSONValue) -> Value?

    init(
        _ words: @autoclosure @escaping () -> String, example: @autoclosure @escaping () -> String,
        schema: @autoclosure @escaping () -> ValueSchema,
        limits: @autoclosure @escaping () -> [ValueSchema.Limit] = [], read: @escaping (JSONValue) -> Value?
    ) {
        (self.words, self.example, self.schema, self.limits, self.read) = (words, example, schema, limits, read)
    }

    /// Any string.
    static func text(_ read: @escaping (OutsideText) -> Value) -> Self {
        Self("a string", example: #""bookary""#, schema: .string) { $0.outsideText.map(read) }
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

extension ParameterType<String> {
    /// An https address, as it is written.
    static var httpsAddress: ParameterType {
        ParameterType(
            "an https address", example: #""https://example.com/review""#,
            schema: .pattern("^[Hh][Tt][Tt][Pp][Ss]://"), limits: [("maxLength", HTTPSURL.maximumLength)]
        ) { value in
            value.ascii(upTo: HTTPSURL.maximumLength).flatMap { HTTPSURL($0) == nil ? nil : $0 }
        }
    }
}

extension ParameterType<[String]> {
    /// An array of texts.
    /// - Parameter read: reads an element; nil if it is left out.
    static func texts(
        _ count: ClosedRange<Int>, _ read: @escaping (OutsideText) -> String?
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

extension ParameterType where Value: Word {
    /// One of the words of an enumeration.
    static var choice: ParameterType {
        ParameterType(
            "one of \(Value.quoted.joined(separator: ", "))", example: Value.quoted[0], schema: Value.choice
        ) { $0.word() }
    }
}

extension ParameterType<[EventKind]> {
    /// An array of some of the kinds.
    static var events: ParameterType {
        ParameterType(
            "an array of some of \(EventKind.quoted.joined(separator: ", "))", example: "[\(EventKind.quoted[0])]",
            schema: .array(EventKind.choice), limits: [("minItems", 1)]
        ) { value in
            let kinds = value.elements.map { $0.word(EventKind.self) }
            return kinds.isEmpty || kinds.contains(nil) ? nil : kinds.compactMap(\.self)
        }
    }
}

extension ParameterType<CatalogReference> {
    static var catalog: ParameterType {
        ParameterType(
            "a catalog's name (\(CatalogReference.nameForm)) or https address",
            example: #""acme""#, schema: .pattern(CatalogReference.pattern)
        ) { $0.outsideText.flatMap(CatalogReference.init) }
    }
}

extension Word {
    fileprivate static var quoted: [String] { allCases.map { "\"\($0.rawValue)\"" } }
}
