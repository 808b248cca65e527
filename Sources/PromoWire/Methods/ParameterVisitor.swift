/// Visits the parameters of a method in their order, in order to read, write or describe them.
struct ParameterVisitor {
    private enum Purpose { case read([CallArgument]), write, describe }

    private let purpose: Purpose
    /// How many arguments were found.
    private var found = 0
    /// The parameters whose arguments are null, have another type or are out of range.
    private(set) var wrong: [String] = []
    private var isIncomplete = false
    private var writer = JSONWriter()
    private var descriptions: [ParameterDescription] = []

    /// A parameter without which the value is nil.
    mutating func callAsFunction<Value: JSONWritable>(
        _ name: String, _ type: @autoclosure () -> ParameterType<Value>, _ value: inout Value?, _ meaning: String,
        isRequired: Bool = false
    ) {
        switch purpose {
        case .read(let arguments):
            guard let argument = find(name, in: arguments, isRequired) else { return }
            if let read = type().read(argument) { value = read } else { wrong.append(name) }
        case .write: if let value { writer.member(name, value) }
        case .describe:
            let type = type()
            descriptions.append(
                ParameterDescription(
                    name: name, words: "\(type.words()) (\(meaning))", example: type.example(), isRequired: isRequired,
                    schema: type.schema(), limits: type.limits()))
        }
    }

    /// A parameter that has a value in every request.
    /// - Parameter leftOut: the value that is not written, because a call without the parameter means the same; nil if there is none.
    mutating func callAsFunction<Value: JSONWritable & Equatable>(
        _ name: String, _ type: @autoclosure () -> ParameterType<Value>, _ value: inout Value, _ meaning: String,
        isRequired: Bool = false, leftOut: Value? = nil
    ) {
        var given = value == leftOut ? nil : value
        self(name, type(), &given, meaning, isRequired: isRequired)
        if let given { value = given }
    }

    private mutating func find(_ name: String, in arguments: [CallArgument], _ isRequired: Bool) -> JSONValue? {
        guard isRequired || found < arguments.count else { return nil }
        guard let index = arguments.firstIndex(where: { $0.name.isString(name) }) else {
            isIncomplete = isIncomplete || isRequired
            return nil
        }
        found += 1
        return arguments[index].value
    }

    // MARK: Calls

    /// Reads the arguments of a call.
    init(reading arguments: [CallArgument]) { self.init(.read(arguments)) }

    /// Whether each of some arguments was that of a parameter and right, and none was missing.
    func areGood(_ arguments: [CallArgument]) -> Bool {
        found == arguments.count && wrong.isEmpty && !isIncomplete
    }

    /// Writes the arguments of a call as members.
    static func write(to writer: inout JSONWriter, _ visit: (inout ParameterVisitor) -> Void) {
        var visitor = ParameterVisitor(.write)
        swap(&visitor.writer, &writer)
        visit(&visitor)
        swap(&visitor.writer, &writer)
    }

    static func descriptions(_ visit: (inout ParameterVisitor) -> Void) -> [ParameterDescription] {
        var visitor = ParameterVisitor(.describe)
        visit(&visitor)
        return visitor.descriptions
    }

    private init(_ purpose: Purpose) { self.purpose = purpose }
}

/// The parameters of a method as a value.
protocol MethodParameters {
    /// Visits them. Nothing changes unless they are read.
    mutating func visitParameters(_ parameter: inout ParameterVisitor)
}

extension MethodParameters {
    func visited(by parameter: inout ParameterVisitor) -> Self {
        var parameters = self
        parameters.visitParameters(&parameter)
        return parameters
    }
}

/// A parameter of a method.
package struct ParameterDescription {
    /// The name of the member of `params`.
    package let name: String
    /// The values that the parameter takes, and what they mean.
    package let words: String
    /// A value as JSON.
    package let example: String
    /// Whether a call without the parameter is refused.
    package let isRequired: Bool
    let schema: ValueSchema
    let limits: [ValueSchema.Limit]

    /// Whether another name was probably meant to be this one: in another case, or with an edit distance of 1 or 2.
    func isProbablyMeant(by other: OutsideText) -> Bool {
        guard let other = other.ascii(upTo: 64) else { return false }
        let (written, right) = (Array(other.lowercased().utf8), Array(name.lowercased().utf8))
        return editDistance(written, right) <= (right.count > 4 ? 2 : 1)
    }
}

// Parameters of several methods.
extension ParameterVisitor {
    mutating func host(_ host: inout String?, _ meaning: String = "the id of the app that asks") {
        self("host", .appID, &host, meaning)
    }

    /// - Parameter isKnown: whether it must be in the catalog. Then any text is accepted, so that the refusal of an unknown id can
    ///   suggest one.
    mutating func app(_ app: String, isKnown: Bool = false) -> String {
        var app = app
        self("app", isKnown ? .text(AppID.id(orShown:)) : .appID, &app, "an app's id", isRequired: true)
        return app
    }

    mutating func language<Value: JSONWritable>(_ language: inout Value?, _ read: @escaping (OutsideText) -> Value) {
        self("language", .text(read), &language, "a BCP 47 tag such as ko-KR or a locale such as ja_JP.UTF-8")
    }

    mutating func catalog(_ catalog: inout CatalogReference?, _ meaning: String) {
        self("catalog", .catalog, &catalog, meaning)
    }
}
