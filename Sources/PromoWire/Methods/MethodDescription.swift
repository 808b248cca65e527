/// A method of the protocol: its name, its parameters, its result, and how its arguments become a request.
package final class MethodDescription: Sendable {
    /// The name in a request's `method`.
    package let name: String
    /// What the method does, in one sentence.
    package let summary: String
    /// The errors that the method may answer, in the order of ``ErrorReason``.
    package let errors: [ErrorReason]
    /// Whether calling the method twice has the same effect as calling it once, so that a client may repeat a call after it lost the
    /// connection. A review that was granted must not be requested again, and a tap must not be counted twice.
    package let isRepeatable: Bool
    private let blank: Request.Method
    private let catalog: String?
    // A closure, because the schema of status is built from the table that holds this description.
    private let makeResult: @Sendable () -> ValueSchema

    /// - Parameters:
    ///   - blank: the method of a request without arguments.
    ///   - catalog: what the parameter that names the catalog means; nil if there is none.
    init(
        _ name: String, _ summary: String, _ blank: Request.Method,
        catalog: String? = "by default that of the app that asks",
        result: @autoclosure @escaping @Sendable () -> ValueSchema, errors: [ErrorReason] = [],
        isRepeatable: Bool = false
    ) {
        (self.name, self.summary, self.blank, self.catalog, makeResult) = (name, summary, blank, catalog, result)
        self.isRepeatable = isRepeatable
        let all = errors + (catalog == nil ? [] : [.unknownCatalog]) + [.invalidParams, .busy]
        self.errors = ErrorReason.allCases.filter(all.contains)
    }

    /// The schema of the method's result.
    package var result: ValueSchema { makeResult() }

    package var parameters: [ValueSchema.Property] { MemberVisitor.properties { _ = request(visiting: &$0) } }

    /// The schema of an object of all parameters, named after the result.
    package var parameterObject: ValueSchema {
        .object(parameters, isClosed: true).named(result.components[0].name.dropLast("Result".count) + "Parameters")
    }

    /// A line that calls the method with its required parameters.
    var example: String {
        let arguments = parameters.filter(\.isRequired).map { ",\"\($0.name)\":\($0.schema.example)" }
        return "{\"method\":\"\(name)\"\(arguments.joined())}"
    }

    /// Checks the arguments of a call and turns them into a request.
    /// - Throws: `invalid-params` if an argument is unknown, has the wrong type, or is missing.
    func request(from arguments: CallArguments) throws(RequestError) -> Request {
        var visitor = MemberVisitor(reading: arguments)
        let request = request(visiting: &visitor)
        let wrong = visitor.error?.member ?? visitor.missing
        guard wrong == nil, visitor.untaken == 0 else {
            throw RequestError(.invalidParams, refusal(of: arguments, wrong: wrong))
        }
        return request
    }

    private func request(visiting visitor: inout MemberVisitor) -> Request {
        var request = Request(blank)
        request.method.visitParameters(&visitor)
        if let catalog {
            visitor.parameter("catalog", &request.catalog, CatalogReference.schema, catalog) {
                $0.outsideText.flatMap(CatalogReference.init)
            }
        }
        return request
    }

    /// Why the arguments of a call are refused: the first one that is unknown, or else a parameter.
    /// - Parameter wrong: the first parameter whose argument is null, of another type or out of range, or else missing.
    private func refusal(of arguments: CallArguments, wrong: String?) -> String {
        let parameters = parameters
        let unknown = arguments.names.first { name in !parameters.contains { name.isString($0.name) } }
        guard unknown == nil, let wrong = parameters.first(where: { $0.name == wrong }) else {
            return refusal(ofUnknown: unknown?.outsideText ?? "", among: parameters)
        }
        guard let argument = arguments.object[wrong.name] else {
            return "\(name) needs \"\(wrong.name)\", \(wrong.words). For example: \(example)"
        }
        return "\"\(wrong.name)\" of \(name) must be \(wrong.words)\(argument.outsideText.map(AppID.hint) ?? "")."
    }

    private func refusal(ofUnknown argument: OutsideText, among parameters: [ValueSchema.Property]) -> String {
        let shown = argument.shown()
        guard !parameters.isEmpty else { return "\(name) takes no parameters, but the request has \"\(shown)\"." }
        let names = parameters.map { "\"\($0.name)\"" }.joined(separator: ", ")
        return "\(name) has no parameter \"\(shown)\". It takes \(names)."
    }
}

/// The arguments of a call, before they are checked: the members of an object, in the flat form without those of the envelope.
struct CallArguments {
    let object: JSONValue
    let isFlat: Bool
    let count: Int

    var names: [JSONValue] {
        object.members.map(\.name).filter { name in
            !isFlat || !["id", "method", "jsonrpc"].contains(where: name.isString)
        }
    }
}
