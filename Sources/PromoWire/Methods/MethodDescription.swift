/// A method of the protocol: its name, its parameters, its result, and how its arguments become a request.
package protocol MethodDescription: AnyObject, Sendable {
    /// The name in a request's `method`.
    var name: String { get }
    /// What the method does, in one sentence.
    var summary: String { get }
    var parameters: [ParameterDescription] { get }
    /// The schema of the method's result.
    var result: ValueSchema { get }
    /// The errors that the method may answer, in the order of ``ErrorReason``.
    var errors: [ErrorReason] { get }
    /// Whether calling the method twice has the same effect as calling it once, so that a client may repeat a call after it lost the
    /// connection. A review that was granted must not be requested again, and a tap must not be counted twice.
    var isRepeatable: Bool { get }
    /// Whether a call may cause events.
    var mayCauseEvents: Bool { get }
    /// The requests of its line with which a call waits for its reply. Only the control plane answers those that wait together.
    var waitingGroup: WaitingGroup { get }

    /// Checks the arguments of a call and turns them into a request.
    /// - Throws: `invalid-params` if an argument is unknown, has the wrong type, or is missing.
    func request(from arguments: [CallArgument]) throws(RequestError) -> Request
}

/// The requests of its line with which a request waits for its reply.
package enum WaitingGroup: Sendable {
    case alone
    /// Requests that the control plane answers soon, and that do not depend on each other's replies.
    case command
    case reload
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

    fileprivate func missing(_ parameter: ParameterDescription) -> RequestError {
        invalid("\(name) needs \"\(parameter.name)\", \(parameter.words). For example: \(example)")
    }

    fileprivate func wrong(_ parameter: ParameterDescription) -> RequestError {
        invalid("\"\(parameter.name)\" of \(name) must be \(parameter.words).")
    }

    fileprivate func unknown(_ argument: OutsideText) -> RequestError {
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

/// A method with its parameters as a value.
final class MethodSignature<Parameters: Sendable>: MethodDescription {
    let name: String
    let summary: String
    let parameters: [ParameterDescription]
    let errors: [ErrorReason]
    let isRepeatable: Bool
    let mayCauseEvents: Bool
    let waitingGroup: WaitingGroup
    private let ownParameters: [Parameter<Parameters>]
    private let blank: Parameters
    private let catalog: Parameter<CatalogReference?>?
    // A closure, because the schema of status is built from the table that holds this description.
    private let makeResult: @Sendable () -> ValueSchema
    private let make: @Sendable (Parameters) -> Request.Method

    /// - Parameters:
    ///   - blank: the parameters of a call without any.
    ///   - catalog: the parameter that names the catalog; nil if there is none.
    ///   - make: makes the method of a request with these parameters.
    init(
        _ name: String, _ summary: String, _ parameters: [Parameter<Parameters>], from blank: Parameters,
        catalog: Parameter<CatalogReference?>? = .catalog,
        result: @autoclosure @escaping @Sendable () -> ValueSchema, errors: [ErrorReason] = [],
        isRepeatable: Bool = false, mayCauseEvents: Bool = false, waitingGroup: WaitingGroup = .alone,
        make: @escaping @Sendable (Parameters) -> Request.Method
    ) {
        (self.name, self.summary, ownParameters, self.blank) = (name, summary, parameters, blank)
        (self.catalog, makeResult, self.make) = (catalog, result, make)
        (self.isRepeatable, self.mayCauseEvents, self.waitingGroup) = (isRepeatable, mayCauseEvents, waitingGroup)
        self.parameters = parameters.map(\.description) + [catalog?.description].compactMap(\.self)
        let all = errors + (catalog == nil ? [] : [.unknownCatalog]) + [.invalidParams, .internal, .busy]
        self.errors = ErrorReason.allCases.filter(all.contains)
    }

    var result: ValueSchema { makeResult() }

    func request(from arguments: [CallArgument]) throws(RequestError) -> Request {
        var (values, reference) = (blank, CatalogReference?.none)
        for argument in arguments {
            if let parameter = ownParameters.first(where: { argument.name.isString($0.description.name) }) {
                guard parameter.read(argument.value, &values) else { throw wrong(parameter.description) }
            } else if let catalog, argument.name.isString(catalog.description.name) {
                guard catalog.read(argument.value, &reference) else { throw wrong(catalog.description) }
            } else {
                throw unknown(argument.name.outsideText ?? "")
            }
        }
        for parameter in parameters where parameter.isRequired {
            guard arguments.contains(where: { $0.name.isString(parameter.name) }) else { throw missing(parameter) }
        }
        return Request(make(values), of: reference)
    }

    func call(_ values: Parameters) -> MethodCall {
        MethodCall(description: self) { [ownParameters] writer in
            for parameter in ownParameters { parameter.write(values, &writer) }
        }
    }
}

/// A method with the parameters of a call.
struct MethodCall {
    let description: any MethodDescription
    /// Writes the members of `params`.
    let writeParameters: (inout JSONWriter) -> Void
}

/// An argument of a call, before it is checked.
package struct CallArgument {
    let name: JSONValue
    let value: JSONValue
}
