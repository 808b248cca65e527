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
    /// Starts promod if nobody listens; nil for a client that starts none.
    var start: ProgramStart?
    /// The catalog that promod is told of if it does not know the address; nil for none.
    var own: OwnCatalog?

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
        let deadline = deadline ?? .after(timeout)
        do {
            return try DaemonConnection(path: path, deadline: deadline, interruption: interruption)
        } catch {
            guard error.code == .daemonUnreachable else { throw error }
            if try start?.run(for: explicitPath, until: deadline, interruption) == true {
                return try DaemonConnection(path: path, deadline: deadline, interruption: interruption)
            }
            let isFromVariable =
                explicitPath == nil && ProcessEnvironment().variables["PROMOD_SOCKET"]?.isEmpty == false
            guard isFromVariable else { throw error }
            throw PromoError(
                error.code, message: error.message + " PROMOD_SOCKET names this path; unset it for the default.")
        }
    }

    /// How long to wait before a request is repeated.
    private static let pause = Duration.milliseconds(100)
    private static let reload = Request(.command(.reload)).line

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
        if let own, own.bundled != nil, own.renew(socket: try socketPath()) {
            _ = try? ask(line: Self.reload, on: &connection, until: deadline, interruption)
        }
        do {
            return try ask(line: request.line, on: &connection, until: deadline, interruption)
        } catch {
            if error.code == .unknownCatalog, let own {
                try own.tell(after: error, socket: socketPath())
                // What is wrong in the configuration is not about this file.
                _ = try? ask(line: Self.reload, on: &connection, until: deadline, interruption)
            } else if error.code != .connectionLost || !request.method.description.isRepeatable {
                throw error
            } else {
                // promod was probably restarted, and one that was killed accepts connections until the kernel has ended it.
                _ = interruption.wait(until: .after(Self.pause))
            }
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

/// The catalog of an app that promod need not know before.
struct OwnCatalog: Sendable {
    let app: String
    let address: String
    /// The path of a list for the time before the first fetch; nil for none.
    let bundled: String?
    /// The variables that say where the user's files are.
    let environment: [String: String]
    /// What this process has told. If another version of the app tells another address, the two must not go on for ever.
    private static let told = Guarded<Set<String>>([])
    /// Whose bundled lists this process has compared.
    private static let compared = Guarded<Set<String>>([])

    init(
        app: String, address: String, bundled: String? = nil,
        environment: [String: String] = ProcessEnvironment().variables
    ) {
        (self.app, self.address, self.bundled, self.environment) = (app, address, bundled, environment)
    }

    /// Gives promod the bundled list of this version of the app, once in a process.
    /// - Returns: whether promod has another one, until its next reload.
    func renew(socket: String) -> Bool {
        guard let bundled,
            Self.compared.withLock({ $0.insert("\(socket) \(app) \(address) \(bundled)").inserted }),
            isRead(at: socket), let list
        else { return false }
        return (try? AppCatalogFile(of: app, at: address, environment: environment).renew(bundled: list)) ?? false
    }

    /// Has promod keep it from its next reload on.
    /// - Parameter error: that of promod, which does not know it.
    /// - Throws: ``PromoError`` with why promod cannot know it: `notConfigured` if a person's file hides it.
    func tell(after error: PromoError, socket: String) throws(PromoError) {
        func failure(_ code: PromoError.Code, _ reason: String) -> PromoError {
            PromoError(code, reason: error.reason, message: "\(error.message) \(reason)")
        }
        guard isRead(at: socket) else {
            throw failure(
                error.code,
                "The host's promod reads no file of a sandbox: the app's package has to bring it, promod.toml(5).")
        }
        let hiding: String?
        do throws(AppCatalogFile.Refusal) {
            let file = try AppCatalogFile(of: app, at: address, environment: environment)
            hiding = file.hiding
            try Self.told.withLock { told throws(AppCatalogFile.Refusal) in
                let words = "\(socket) \(app) \(address)"
                guard hiding == nil, !told.contains(words) else { return }
                // Another instance of the app may have written the same, which promod has yet to read.
                _ = try file.write(bundled: list)
                told.insert(words)
            }
        } catch {
            throw failure(.refused, "It cannot be added: \(error.description).")
        }
        if let hiding {
            throw PromoError(.notConfigured, reason: error.reason, message: "\(hiding) hides the app's catalog.")
        }
    }

    /// Whether the promod at a socket reads the user's files here.
    private func isRead(at socket: String) -> Bool {
        Sandbox.current.map { socket.contains("/app/\($0.app)/") } ?? true
    }

    /// The path of the bundled list; nil if there is none, or if it is no list, of which the developer is told.
    private var list: String? {
        guard let bundled else { return nil }
        let refusal: String
        if let bytes = AppCatalogFile.read(bundled) {
            do {
                let apps = try JSONDocument(bytes, maximumDepth: 64).root["apps"]
                if apps?.kind == .array { return bundled }
                refusal = "it has no array \"apps\""
            } catch { refusal = error.description }
        } else {
            refusal = "it cannot be read: \(String(systemError: errno))"
        }
        Mistake("The bundled list \(bundled) is not used: \(refusal).").tell()
        return nil
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
