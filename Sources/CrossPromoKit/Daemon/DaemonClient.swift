import Dispatch
import FoundationEssentials
import Glibc
import PromoProcess
package import PromoWire

/// Asks promod, each question on a connection of its own.
package struct DaemonClient: Sendable {
    /// How long an answer may take that waits for nothing.
    package static let defaultTimeout = Duration.seconds(5)
    /// How long an answer may take that waits for the origin.
    package static let fetchTimeout = Duration.seconds(120)

    private let explicitPath: String?
    /// How long an answer may take that waits for nothing.
    package let timeout: Duration

    /// A client of the socket at a path, or at the one that the environment says.
    package init(socketPath: String? = nil, timeout: Duration = defaultTimeout) {
        explicitPath = socketPath
        self.timeout = timeout
    }

    /// Where promod listens.
    package func socketPath() throws(PromoError) -> String {
        do {
            var environment = explicitPath?.isEmpty == false ? [:] : try ProcessEnvironment().checked()
            if let explicitPath { environment["PROMOD_SOCKET"] = explicitPath }
            return try SocketPath.resolve(environment: environment, userID: getuid())
        } catch {
            throw PromoError(.daemonUnreachable, "\(error)")
        }
    }

    /// Connects, for more than one question.
    package func connect(
        deadline: Deadline? = nil, interruption: Interruption = Interruption()
    ) throws(PromoError) -> DaemonConnection {
        let path = try socketPath()
        do {
            return try DaemonConnection(path: path, deadline: deadline ?? .after(timeout), interruption: interruption)
        } catch {
            guard error.code == .daemonUnreachable, isPathFromVariable else { throw error }
            throw PromoError(error.code, error.message + " PROMOD_SOCKET names this path; unset it for the usual one.")
        }
    }

    private var isPathFromVariable: Bool {
        explicitPath == nil && ProcessEnvironment().variables["PROMOD_SOCKET"]?.isEmpty == false
    }

    /// Asks, and blocks until the answer; a question that may be repeated is, once, where promod was restarted meanwhile.
    /// - Throws: ``PromoError``, `refused` for an error reply.
    package func ask(
        _ request: Request, timeout: Duration? = nil, interruption: Interruption = Interruption()
    ) throws(PromoError) -> JSONValue {
        let deadline = Deadline.after(timeout ?? self.timeout)
        do {
            return try ask(request.line, deadline, interruption)
        } catch {
            guard error.code == .connectionLost, request.isRepeatable else { throw error }
            return try ask(request.line, deadline, interruption)
        }
    }

    /// Sends a line that calls a method, and blocks until the answer.
    /// - Throws: ``PromoError``, `refused` for an error reply.
    package func ask(
        line: [UInt8], timeout: Duration? = nil, interruption: Interruption = Interruption()
    ) throws(PromoError) -> JSONValue {
        try ask(line, .after(timeout ?? self.timeout), interruption)
    }

    /// Asks without blocking a thread of the caller's; cancellation ends the wait.
    ///
    /// The wait has a private queue: a job on a global one would start a wake-up a second for the life of the process.
    package func answer(
        to request: Request, timeout: Duration? = nil
    ) async throws(PromoError) -> JSONValue {
        let interruption = Interruption()
        let answer: Result<JSONValue, PromoError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "CrossPromoKit.request").async {
                    continuation.resume(
                        returning: Result { () throws(PromoError) in
                            try ask(request, timeout: timeout, interruption: interruption)
                        })
                }
            }
        } onCancel: {
            interruption.fire()
        }
        return try answer.get()
    }

    private func ask(
        _ line: [UInt8], _ deadline: Deadline, _ interruption: Interruption
    ) throws(PromoError) -> JSONValue {
        var connection = try connect(deadline: deadline, interruption: interruption)
        return try connection.ask(line: line, deadline: deadline)
    }
}

extension DaemonConnection {
    /// Sends a line that calls a method, and blocks until the answer.
    /// - Throws: ``PromoError``, `refused` for an error reply.
    package mutating func ask(line: [UInt8], deadline: Deadline) throws(PromoError) -> JSONValue {
        try send(line, deadline: deadline)
        switch Incoming(line: try receive(deadline: deadline)) {
        case .result(let result): return result
        case .refused(let refusal): throw PromoError(.refused, reason: refusal.reason, refusal.message)
        case .event, nil: throw .badReply("something else than a reply")
        }
    }
}

extension PromoError {
    /// An answer that is not what the protocol says.
    package static func badReply(_ what: String) -> PromoError {
        PromoError(.badReply, "promod answered with \(what). Are promod and this program of the same version?")
    }

    /// A result that lacks what the protocol promises.
    package static func badReply(_ result: MalformedResult) -> PromoError {
        badReply("a result in which \(result)")
    }
}

extension Request {
    /// Whether asking twice does what asking once does: a lost grant must not be asked for again, nor a tap counted twice.
    fileprivate var isRepeatable: Bool {
        switch self {
        case .list, .status, .reviewEligible, .reviewReset, .launch, .discover: true
        case .tap, .impression, .reviewRequest, .refresh, .clear, .subscribe, .reload: false
        }
    }
}
