import Glibc
package import PromoSystem
package import PromoWire

/// A blocking connection to promod. Every wait ends with an answer, at a deadline or by an interruption.
package struct DaemonConnection: ~Copyable {
    /// The longest reply that is read, in bytes; far more than the list of the largest catalog takes.
    private static let maximumReply = 128 * 1024 * 1024
    /// The pause before connecting again if the daemon's queue of connections is full.
    private static let queuePause = Duration.milliseconds(20)

    private let path: String
    /// Ends the waits of the request under way.
    var interruption: Interruption
    private let descriptor: Int32
    private var framer = LineFramer(maximumLength: maximumReply)
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// Connects to the socket at a path.
    /// - Throws: ``PromoError`` of the kinds `daemonUnreachable`, `timedOut` and `cancelled`.
    package init(path: String, deadline: Deadline, interruption: Interruption) throws(PromoError) {
        self.path = path
        self.interruption = interruption
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw .unreachable(path, errno) }
        // A request that was cancelled or timed out before it began must have no effect.
        guard !interruption.isFired else { throw .cancelled }
        guard !deadline.hasPassed else { throw .timedOut(path) }
        while UnixAddress.connect(descriptor, to: path) != 0 {
            // If the queue is full, connect fails with EAGAIN; a Unix socket does not connect in the background.
            guard errno == EAGAIN || errno == EINTR else { throw .unreachable(path, errno) }
            guard !deadline.hasPassed else { throw .timedOut(path) }
            guard !interruption.wait(until: .after(Self.queuePause)) else { throw .cancelled }
        }
        // Another user who can write to the socket's directory can listen there in promod's place.
        let user = PeerCredentials(of: descriptor)?.userID
        guard user == getuid() else { throw .stranger(path, user) }
    }

    deinit {
        close(descriptor)
    }

    /// Sends bytes.
    /// - Throws: ``PromoError`` of the kinds `connectionLost`, `timedOut` and `cancelled`.
    package mutating func send(_ bytes: [UInt8], deadline: Deadline) throws(PromoError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Descriptor.send(rest.span, to: descriptor)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                try wait(for: POLLOUT, until: deadline)
            } else if errno != EINTR {
                // The daemon may have sent a reason before it closed the connection, which the next read finds.
                return
            }
        }
    }

    /// Receives the next line, without LF.
    /// - Throws: ``PromoError`` of the kinds `connectionLost`, `badReply`, `timedOut` and `cancelled`.
    package mutating func receive(deadline: Deadline) throws(PromoError) -> [UInt8] {
        while true {
            switch framer.next() {
            case .line(let line): return line
            case .tooLong:
                throw PromoError(
                    .badReply, message: "The program that listens on \(path) sends endless lines. It is not promod.")
            case nil: break
            }
            // Before each read, so that a deadline holds even if the peer sends without end.
            try wait(for: POLLIN, until: deadline)
            let count = Descriptor.read(from: descriptor, into: &buffer)
            if count > 0 {
                // A reference of its own, because this call changes another member of the same value.
                let received = buffer
                framer.append(received.span.extracting(..<count))
            } else if count == 0 || errno != EAGAIN && errno != EINTR {
                throw PromoError(
                    .connectionLost, message: "promod ended the connection to \(path) before it answered.")
            }
        }
    }

    /// Sends a line that calls a method, and blocks until the answer.
    /// - Throws: ``PromoError``, which is `refused` for an error reply.
    package mutating func ask(line: [UInt8], deadline: Deadline) throws(PromoError) -> JSONValue {
        try send(line, deadline: deadline)
        switch Incoming(line: try receive(deadline: deadline)) {
        case .result(let result): return result
        case .refused(let refusal):
            let isUnknown = refusal.reason == ErrorReason.unknownCatalog.rawValue
            throw PromoError(
                isUnknown ? .unknownCatalog : .refused, reason: refusal.reason, message: refusal.message.printable)
        case .event, nil: throw .badReply("something other than a reply")
        }
    }

    private func wait(for events: Int32, until deadline: Deadline) throws(PromoError) {
        let poller = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        if interruption.wait(for: [poller], until: deadline) == nil { throw .cancelled }
        if deadline.hasPassed { throw .timedOut(path, mayBeSent: true) }
    }
}

extension PromoError {
    static let cancelled = PromoError(.cancelled, message: "The request was cancelled.")

    /// The reason of a request for which there was no time: it has had no effect.
    static let notSent = "not-sent"

    static func timedOut(_ path: String, mayBeSent: Bool = false) -> PromoError {
        PromoError(
            .timedOut, reason: mayBeSent ? nil : notSent,
            message: "promod did not answer on \(path) in time. "
                + (Sandbox.current == nil ? "" : "On the host, ")
                + "\"journalctl --user -u promod\" may say why. \"systemctl --user restart promod\" restarts it.")
    }

    fileprivate static func stranger(_ path: String, _ user: uid_t?) -> PromoError {
        let owner = user.map { "the user with the id \($0)" } ?? "an unknown user"
        return PromoError(
            .daemonUnreachable,
            message: "The socket \(path) belongs to \(owner), and promod answers only its own user.")
    }

    fileprivate static func unreachable(_ path: String, _ number: Int32) -> PromoError {
        if let owner = stat(of: path)?.st_uid, owner != getuid() { return stranger(path, owner) }
        if number == EMFILE || number == ENFILE {
            return PromoError(
                .daemonUnreachable,
                message: "Cannot connect to promod at \(path): this program has too many open files.")
        }
        let isRemoved = number == ENOENT && UnixAddress.hasListener(at: path)
        let advice =
            if let sandbox = Sandbox.current {
                sandbox.advice(socketPath: path)
            } else if isRemoved {
                "promod runs, but its socket was removed. Restart it with \"\(StartHint.service)\", or, if it was started by hand, "
                    + "end it and start it again."
            } else {
                StartHint.text
            }
        let reason = String(systemError: number).lowercased()
        return PromoError(
            .daemonUnreachable, reason: isRemoved ? "socket-removed" : nil,
            message: "promod cannot be reached at \(path): \(reason). \(advice)")
    }
}
