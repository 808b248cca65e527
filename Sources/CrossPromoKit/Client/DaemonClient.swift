import FoundationEssentials
import Glibc
package import PromoSystem
package import PromoWire

/// Sends requests to promod.
package struct DaemonClient: Sendable {
    /// How long an answer may take by default.
    package static let defaultTimeout = Duration.seconds(5)
    /// How long an answer may take if it waits for a fetch.
    package static let fetchTimeout = Duration.seconds(120)

    private let explicitPath: String?
    /// How long an answer may take if it does not wait for a fetch.
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
            return try SocketPath.resolve(
                environment: environment, userID: getuid(), isDirectory: FileSystem.isDirectory)
        } catch {
            throw PromoError(.daemonUnreachable, message: "\(error)")
        }
    }

    /// The path for messages and for a watch; if it is not valid, the explicit one.
    var knownPath: String { (try? socketPath()) ?? socket }

    /// The key of this client's socket among those of the process.
    var socket: String { explicitPath ?? "" }

    /// Opens a connection for more than one request.
    package func connect(
        deadline: Deadline? = nil, interruption: Interruption = Interruption()
    ) throws(PromoError) -> DaemonConnection {
        let path = try socketPath()
        do {
            return try DaemonConnection(path: path, deadline: deadline ?? .after(timeout), interruption: interruption)
        } catch {
            let isFromVariable =
                explicitPath == nil && ProcessEnvironment().variables["PROMOD_SOCKET"]?.isEmpty == false
            guard error.code == .daemonUnreachable, isFromVariable else { throw error }
            throw PromoError(
                error.code, message: error.message + " PROMOD_SOCKET names this path; unset it for the default.")
        }
    }

    /// Sends a request on a connection of its own, and blocks until the answer. If the connection is lost, a repeatable request is sent once
    /// more.
    /// - Throws: ``PromoError``, which is `refused` for an error reply.
    package func ask(
        _ method: Request.Method, of catalog: CatalogReference? = nil, timeout: Duration? = nil
    ) throws(PromoError) -> JSONValue {
        var connection: DaemonConnection?
        return try ask(
            Request(method, of: catalog), on: &connection, until: .after(timeout ?? self.timeout), Interruption())
    }

    /// Sends a request, blocks until the answer, and reads the result.
    /// - Throws: ``PromoError``, which is `badReply` for a result that cannot be read.
    package func ask<Result>(
        _ method: Request.Method, of catalog: CatalogReference? = nil, timeout: Duration? = nil,
        reading read: (JSONValue) throws(MalformedResult) -> Result
    ) throws(PromoError) -> Result {
        try ask(method, of: catalog, timeout: timeout).read(read)
    }

    /// Sends a request without blocking the caller's thread; one that waits for a fetch has two minutes. Cancelling the task ends the wait.
    package func answer(
        to method: Request.Method, of catalog: CatalogReference? = nil, timeout: Duration? = nil
    ) async throws(PromoError) -> JSONValue {
        let request = Request(method, of: catalog)
        let queue = RequestQueue.of(socket, fetching: request.withoutWait != nil)
        let deadline = Deadline.after(timeout ?? (request.withoutWait != nil ? Self.fetchTimeout : self.timeout))
        return try await withTaskExecutorPreference(PromoExecutor.shared) {
            await queue.answer(to: request, from: self, until: deadline)
        }.get()
    }

    /// Sends a request on a connection that earlier requests may have left, and leaves it for the next one.
    func ask(
        _ request: Request, on connection: inout DaemonConnection?, until deadline: Deadline,
        _ interruption: Interruption
    ) throws(PromoError) -> JSONValue {
        do {
            return try ask(line: request.line, on: &connection, until: deadline, interruption)
        } catch {
            // promod was probably restarted.
            guard error.code == .connectionLost, request.method.description.isRepeatable else { throw error }
            return try ask(line: request.line, on: &connection, until: deadline, interruption)
        }
    }

    private func ask(
        line: [UInt8], on connection: inout DaemonConnection?, until deadline: Deadline, _ interruption: Interruption
    ) throws(PromoError) -> JSONValue {
        var current: DaemonConnection
        if let open = connection.take() {
            current = open
        } else {
            current = try connect(deadline: deadline, interruption: interruption)
        }
        current.interruption = interruption
        // An error closes the connection, because the reply may still come.
        let answer = try current.ask(line: line, deadline: deadline)
        connection = consume current
        return answer
    }
}

extension JSONValue {
    /// Reads a result.
    /// - Throws: ``PromoError``, which is `badReply`.
    package func read<Result>(
        _ read: (JSONValue) throws(MalformedResult) -> Result
    ) throws(PromoError) -> Result {
        do {
            return try read(self)
        } catch {
            throw .badReply(error)
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
