import FoundationEssentials
import Glibc
import PromoProcess
package import PromoWire

/// Sends requests to promod, each on a connection of its own.
package struct DaemonClient: Sendable {
    /// How long an answer may take by default.
    package static let defaultTimeout = Duration.seconds(5)
    /// How long an answer may take that waits for a fetch.
    package static let fetchTimeout = Duration.seconds(120)

    private let explicitPath: String?
    /// How long an answer may take that does not wait for a fetch.
    package let timeout: Duration

    /// Creates a client of the socket at a path; nil for the default path, which the environment may change.
    package init(socketPath: String? = nil, timeout: Duration = defaultTimeout) {
        explicitPath = socketPath
        self.timeout = timeout
    }

    /// The path of promod's socket.
    package func socketPath() throws(PromoError) -> String {
        do {
            var environment = explicitPath?.isEmpty == false ? [:] : try ProcessEnvironment().checked()
            if let explicitPath { environment["PROMOD_SOCKET"] = explicitPath }
            return try SocketPath.resolve(environment: environment, userID: getuid())
        } catch {
            throw PromoError(.daemonUnreachable, message: "\(error)")
        }
    }

    /// Opens a connection for more than one request.
    package func connect(
        deadline: Deadline? = nil, interruption: Interruption = Interruption()
    ) throws(PromoError) -> DaemonConnection {
        let path = try socketPath()
        do {
            return try DaemonConnection(path: path, deadline: deadline ?? .after(timeout), interruption: interruption)
        } catch {
            guard error.code == .daemonUnreachable, isPathFromVariable else { throw error }
            throw PromoError(
                error.code, message: error.message + " PROMOD_SOCKET names this path; unset it for the default.")
        }
    }

    private var isPathFromVariable: Bool {
        explicitPath == nil && ProcessEnvironment().variables["PROMOD_SOCKET"]?.isEmpty == false
    }

    /// Sends a request, and blocks until the answer. If the connection is lost, a request that may be repeated is sent once more.
    /// - Throws: ``PromoError``, which is `refused` for an error reply.
    package func ask(
        _ method: Request.Method, of catalog: CatalogReference? = nil, timeout: Duration? = nil,
        interruption: Interruption = Interruption()
    ) throws(PromoError) -> JSONValue {
        let request = Request(method, of: catalog)
        let deadline = Deadline.after(timeout ?? self.timeout)
        return try ask(request, deadline, interruption) { connection throws(PromoError) in
            try connection.ask(line: request.line, deadline: deadline)
        }
    }

    /// Sends a line that calls a method, and blocks until the answer.
    /// - Throws: ``PromoError``, which is `refused` for an error reply.
    package func ask(
        line: [UInt8], timeout: Duration? = nil, interruption: Interruption = Interruption()
    ) throws(PromoError) -> JSONValue {
        let deadline = Deadline.after(timeout ?? self.timeout)
        var connection = try connect(deadline: deadline, interruption: interruption)
        return try connection.ask(line: line, deadline: deadline)
    }

    /// Sends a request without blocking the caller's thread. Cancelling the task ends the wait. A request that waits for a fetch has two
    /// minutes.
    ///
    /// A daemon that is too old for a parameter is asked in words that it knows.
    package func answer(
        to method: Request.Method, of catalog: CatalogReference? = nil, timeout: Duration? = nil
    ) async throws(PromoError) -> JSONValue {
        let request = Request(method, of: catalog)
        let queue = RequestQueue.of(socket, fetching: request.waitsForFetch)
        let timeout = timeout ?? (request.waitsForFetch ? Self.fetchTimeout : self.timeout)
        let pending = PendingRequest(request, of: self, timeout: timeout)
        return try await withTaskExecutorPreference(PromoExecutor.shared) { await pending.answer(in: queue) }.get()
    }

    /// Sends a request, in words that an earlier daemon knows if this one refuses it, and blocks until the answer. If the connection is
    /// lost, a request that may be repeated is sent once more.
    func ask(
        adapting request: Request, deadline: Deadline, interruption: Interruption
    ) throws(PromoError) -> JSONValue {
        try ask(request, deadline, interruption) { connection throws(PromoError) in
            try connection.ask(adapting: request, deadline: deadline)
        }
    }

    /// What tells this client's socket from others.
    var socket: String { explicitPath ?? "" }

    private func ask(
        _ request: Request, _ deadline: Deadline, _ interruption: Interruption,
        _ body: (inout DaemonConnection) throws(PromoError) -> JSONValue
    ) throws(PromoError) -> JSONValue {
        func once() throws(PromoError) -> JSONValue {
            var connection = try connect(deadline: deadline, interruption: interruption)
            return try body(&connection)
        }
        do {
            return try once()
        } catch {
            // promod was probably restarted.
            guard error.code == .connectionLost, request.method.description.isRepeatable else { throw error }
            return try once()
        }
    }
}

extension DaemonConnection {
    /// Sends a line that calls a method, and blocks until the answer.
    /// - Throws: ``PromoError``, which is `refused` for an error reply.
    package mutating func ask(line: [UInt8], deadline: Deadline) throws(PromoError) -> JSONValue {
        try send(line, deadline: deadline)
        switch Incoming(line: try receive(deadline: deadline)) {
        case .result(let result): return result
        case .refused(let refusal):
            let isUnknown = refusal.reason == ErrorReason.unknownCatalog.rawValue
            throw PromoError(isUnknown ? .unknownCatalog : .refused, reason: refusal.reason, message: refusal.message)
        case .event, nil: throw .badReply("something other than a reply")
        }
    }
}

extension PromoError {
    /// The error for an answer that does not follow the protocol.
    package static func badReply(_ what: String) -> PromoError {
        PromoError(
            .badReply, message: "promod answered with \(what). Do promod and this program have the same version?")
    }

    /// The error for a result that does not follow the protocol.
    package static func badReply(_ result: MalformedResult) -> PromoError {
        badReply("a result in which \(result)")
    }
}
