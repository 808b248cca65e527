/// A parameter of a method.
package struct ParameterDescription: Sendable {
    /// The name of the member of `params`.
    package let name: String
    /// The values that the parameter takes.
    package let type: ParameterType
    /// Whether a call without the parameter is refused.
    package let isRequired: Bool
    /// Names that a client may use by mistake, because the parameter is called so elsewhere.
    private let synonyms: [String]

    init(_ name: String, _ type: ParameterType, isRequired: Bool = false, meantBy synonyms: [String] = []) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.synonyms = synonyms
    }

    /// Whether a client that wrote the other name probably meant this one: a synonym, another case, or an edit distance of 1 or 2.
    func isProbablyMeant(by other: OutsideText) -> Bool {
        guard let other = other.ascii(upTo: 64) else { return false }
        if synonyms.contains(other) { return true }
        let (written, right) = (Array(other.lowercased().utf8), Array(name.utf8))
        return editDistance(written, right) <= (right.count > 4 ? 2 : 1)
    }
}

/// The values that a parameter takes.
package enum ParameterType: Sendable, CustomStringConvertible {
    case string(_ meaning: String)
    case integer(minimum: Int, _ meaning: String)
    case boolean(_ meaning: String)
    case strings(_ count: ClosedRange<Int>, _ meaning: String)
    case appID(_ meaning: String)
    case storeNumber(_ meaning: String)
    case catalog(_ meaning: String)
    case path(_ meaning: String)
    case time(_ meaning: String)
    /// An array of some of the given words.
    case choices([String], _ meaning: String)
    /// One of the given words.
    case choice([String], _ meaning: String)

    package var description: String {
        switch self {
        case .string(let meaning): "a string, \(meaning)"
        case .integer(let minimum, let meaning): "an integer of \(minimum) or more, \(meaning)"
        case .boolean(let meaning): "true or false, \(meaning)"
        case .strings(let count, let meaning):
            "an array of \(count.lowerBound) to \(count.upperBound) strings, \(meaning)"
        case .choices(let words, let meaning):
            "an array of some of \(words.map { "\"\($0)\"" }.joined(separator: ", ")), \(meaning)"
        case .choice(let words, let meaning):
            "one of \(words.map { "\"\($0)\"" }.joined(separator: ", ")), \(meaning)"
        case .storeNumber(let meaning): "\(StoreNumber.form), \(meaning)"
        case .catalog(let meaning):
            "a catalog's name (\(CatalogReference.nameForm)) or https address, or {\"name\":…,\"url\":…} with both, \(meaning)"
        case .path(let meaning): "an absolute path of at most \(DiagnoseParameters.maximumPath) bytes, \(meaning)"
        case .time(let meaning): "a time such as \"2026-11-21T07:41:05Z\", \(meaning)"
        case .appID(let meaning): "a string of \(AppID.form), \(meaning)"
        }
    }

    /// Whether a value has the type and is in its range. Null never is.
    func accepts(_ value: JSONValue) -> Bool {
        switch self {
        case .string: return value.kind == .string
        case .integer(let minimum, _): return (value.integer ?? .min) >= minimum
        case .boolean: return value.boolean != nil
        case .strings(let allowed, _):
            guard value.kind == .array else { return false }
            var count = 0
            for element in value.elements {
                count += 1
                guard element.kind == .string, count <= allowed.upperBound else { return false }
            }
            return allowed.contains(count)
        case .choices(let words, _):
            var elements = value.elements
            guard value.kind == .array, elements.next() != nil else { return false }
            return value.elements.allSatisfy { element in words.contains { element.isString($0) } }
        case .choice(let words, _): return words.contains { value.isString($0) }
        case .storeNumber: return value.ascii(upTo: StoreNumber.maximumLength).map(StoreNumber.isWellFormed) ?? false
        case .catalog: return CatalogReference(value) != nil
        case .path:
            let path = value.outsideText?.bytes ?? []
            return path.first == UInt8(ascii: "/") && path.count <= DiagnoseParameters.maximumPath
        case .time: return value.time != nil
        case .appID: return AppID.id(in: value) != nil
        }
    }

    /// An example of the type, as JSON.
    var example: String {
        switch self {
        case .string: #""bookary""#
        case .integer(let minimum, _): "\(minimum)"
        case .boolean: "true"
        case .strings: #"["bookary"]"#
        case .choices(let words, _): "[\"\(words[0])\"]"
        case .choice(let words, _): "\"\(words[0])\""
        case .storeNumber: #""6470000004""#
        case .catalog: #""acme""#
        case .path: #""/etc/ssl/certs/ca.pem""#
        case .time: #""2026-11-21T07:41:05Z""#
        case .appID: #""fittoday""#
        }
    }
}
