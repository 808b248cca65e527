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
    /// Whether a call may cause events.
    package let mayCauseEvents: Bool
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
        isRepeatable: Bool = false, mayCauseEvents: Bool = false
    ) {
        (self.name, self.summary, self.blank, self.catalog, makeResult) = (name, summary, blank, catalog, result)
        (self.isRepeatable, self.mayCauseEvents) = (isRepeatable, mayCauseEvents)
        let all = errors + (catalog == nil ? [] : [.unknownCatalog]) + [.invalidParams, .internal, .busy]
        self.errors = ErrorReason.allCases.filter(all.contains)
    }

    /// The schema of the method's result.
    package var result: ValueSchema { makeResult() }

    package var parameters: [ParameterDescription] { ParameterVisitor.descriptions { _ = request(visiting: &$0) } }

    /// Checks the arguments of a call and turns them into a request.
    /// - Throws: `invalid-params` if an argument is unknown, has the wrong type, or is missing.
    func request(from arguments: [CallArgument]) throws(RequestError) -> Request {
        var visitor = ParameterVisitor(reading: arguments)
        let request = request(visiting: &visitor)
        guard visitor.areGood(arguments) else { throw refusal(of: arguments, wrong: visitor.wrong) }
        return request
    }

    private func request(visiting parameter: inout ParameterVisitor) -> Request {
        var request = Request(blank)
        request.method.visitParameters(&parameter)
        if let catalog { parameter.catalog(&request.catalog, catalog) }
        return request
    }
}

extension MethodDescription {
    /// The required parameters of a call, or its first one, as a JSON object.
    package var exampleParameters: String {
        let required = parameters.filter(\.isRequired)
        let shown = required.isEmpty ? Array(parameters.prefix(1)) : required
        return "{\(Self.members(shown))}"
    }

    /// A line that calls the method with its required parameters.
    var example: String {
        let members = Self.members(parameters.filter(\.isRequired))
        return "{\"method\":\"\(name)\"\(members.isEmpty ? "" : ",")\(members)}"
    }

    private static func members(_ parameters: [ParameterDescription]) -> String {
        parameters.map { "\"\($0.name)\":\($0.example)" }.joined(separator: ",")
    }

    /// Why the arguments of a call are refused: the first one that is not right, or the first parameter without one.
    /// - Parameter wrong: the parameters whose arguments are null, have another type or are out of range.
    private func refusal(of arguments: [CallArgument], wrong: [String]) -> RequestError {
        let parameters = parameters
        for argument in arguments {
            guard let parameter = parameters.first(where: { argument.name.isString($0.name) }) else {
                return unknown(argument.name.outsideText ?? "", among: parameters)
            }
            if wrong.contains(parameter.name) {
                return invalid("\"\(parameter.name)\" of \(name) must be \(parameter.words).")
            }
        }
        let missing = parameters.first { parameter in
            parameter.isRequired && !arguments.contains { $0.name.isString(parameter.name) }
        }
        let words = missing.map { "\"\($0.name)\", \($0.words)" } ?? "other parameters"
        return invalid("\(name) needs \(words). For example: \(example)")
    }

    private func unknown(_ argument: OutsideText, among parameters: [ParameterDescription]) -> RequestError {
        let shown = argument.shown()
        guard !parameters.isEmpty else {
            return invalid("\(name) takes no parameters, but the request has \"\(shown)\".")
        }
        if let meant = parameters.first(where: { $0.isProbablyMeant(by: argument) }) {
            return invalid("\(name) has no parameter \"\(shown)\". Did you mean \"\(meant.name)\", \(meant.words)?")
        }
        let names = parameters.map { "\"\($0.name)\"" }.joined(separator: ", ")
        return invalid("\(name) has no parameter \"\(shown)\". It takes \(names).")
    }

    private func invalid(_ message: String) -> RequestError {
        RequestError(.invalidParams, message)
    }
}

/// An argument of a call, before it is checked.
package struct CallArgument {
    let name: JSONValue
    let value: JSONValue
}
