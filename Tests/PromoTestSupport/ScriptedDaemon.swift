import Foundation
import Glibc
import Synchronization

/// A stand-in for promod that answers by a test's script, with a Unix socket and a thread for each connection.
package final class ScriptedDaemon: Sendable {
    /// The answer to a request.
    package enum Answer: Sendable {
        /// A reply with this result, as JSON.
        case result(String)
        /// An error reply with this reason.
        case refusal(String)
        /// Exactly these bytes.
        case bytes(String)
        /// Bytes without a line feed, until the client has closed the connection.
        case endless
        /// A reply with this result, and then the same line repeatedly until the client has closed the connection.
        case flood(String, String)
        /// No reply; the connection stays open.
        case silence
        /// The end of the connection.
        case end
    }

    /// Returns the answer to a request. It runs on the connection's own thread, and may block it.
    package typealias Script = @Sendable (ScriptedRequest) -> Answer

    fileprivate struct State {
        var script: Script
        var listener: Int32?
        var connections: Set<Int32> = []
        var subscribers: Set<Int32> = []
        var requests: [ScriptedRequest] = []
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastWatcher = 0
    }

    /// The state that the threads retain, so that the daemon itself can be deallocated.
    fileprivate final class Shared: Sendable {
        let state: Mutex<State>

        init(_ script: @escaping Script) {
            state = Mutex(State(script: script))
        }
    }

    /// The path of the socket.
    package let path: String
    private let scratch: ScratchDirectory
    private let shared: Shared

    /// Listens in a scratch directory.
    package init(_ script: @escaping Script) throws {
        scratch = try ScratchDirectory()
        path = scratch("promod.sock")
        shared = Shared(script)
        try start()
    }

    deinit {
        stop()
    }

    /// Answers by another script from now on.
    package func answer(_ script: @escaping Script) {
        shared.update { $0.script = script }
    }

    /// Listens again after ``stop()``.
    package func start() throws {
        let listener = try UnixSocket.listen(at: path)
        shared.update { $0.listener = listener }
        Thread.detachNewThread { [shared] in shared.accept(listener) }
    }

    /// Ends every connection and stops listening, as a daemon that ends does.
    package func stop() {
        unlink(path)
        shared.update { state in
            if let listener = state.listener { shutdown(listener, Int32(SHUT_RDWR)) }
            state.listener = nil
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    /// Ends every connection, and continues to listen.
    package func hangUp() {
        shared.update { state in
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    /// Sends a line to all subscribers.
    package func push(_ line: String) {
        shared.update { state in
            for subscriber in state.subscribers { UnixSocket.send(line + "\n", to: subscriber) }
        }
    }

    /// The requests so far, in the order of their arrival.
    package var requests: [ScriptedRequest] { shared.state.withLock { $0.requests } }

    /// The requests so far that call a method.
    package func requests(_ method: String) -> [ScriptedRequest] {
        requests.filter { $0.method == method }
    }

    /// Returns when a method was called at least `times` times.
    package func wasAsked(_ method: String, times: Int = 1) async {
        await shared.wait { state in state.requests.count { $0.method == method } >= times }
    }

    /// Returns when there are exactly `count` subscribers.
    package func hasSubscribers(_ count: Int) async {
        await shared.wait { $0.subscribers.count == count }
    }

    /// Returns when exactly `count` connections are open.
    package func hasConnections(_ count: Int) async {
        await shared.wait { $0.connections.count == count }
    }
}

extension ScriptedDaemon.Shared {
    fileprivate func update(_ change: (inout sending ScriptedDaemon.State) -> Void) {
        state.withLock { state in
            change(&state)
            for watcher in state.watchers.values { watcher.yield() }
        }
    }

    /// Returns when a condition holds, or when the task is cancelled, as it is if a test takes too long.
    fileprivate func wait(until condition: @Sendable (ScriptedDaemon.State) -> Bool) async {
        let (changes, watcher) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = watcher
            return state.lastWatcher
        }
        defer { state.withLock { _ = $0.watchers.removeValue(forKey: number) } }
        watcher.yield()
        for await _ in changes where state.withLock({ condition($0) }) { return }
    }

    fileprivate func accept(_ listener: Int32) {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            guard connection >= 0 else { break }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            update { state in
                state.connections.insert(connection)
                // The daemon was stopped meanwhile.
                if state.listener != listener { shutdown(connection, Int32(SHUT_RDWR)) }
            }
            Thread.detachNewThread { self.serve(connection) }
        }
        close(listener)
    }

    private func serve(_ connection: Int32) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        reading: while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer[..<count]
            while let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                let request = ScriptedRequest(line: String(decoding: bytes[..<end], as: UTF8.self))
                bytes.removeFirst(end + 1)
                guard answer(request, on: connection) else { break reading }
            }
        }
        update { state in
            state.subscribers.remove(connection)
            state.connections.remove(connection)
            // Closing alone would not end the connection if a program that another test started has inherited the descriptor.
            shutdown(connection, Int32(SHUT_RDWR))
            close(connection)
        }
    }

    /// Answers a request.
    /// - Returns: false if the connection has to end.
    private func answer(_ request: ScriptedRequest, on connection: Int32) -> Bool {
        let script = state.withLock { $0.script }
        update { $0.requests.append(request) }
        switch script(request) {
        case .result(let result):
            update { state in
                UnixSocket.send(Self.reply(result), to: connection)
                if request.method == "subscribe" { state.subscribers.insert(connection) }
            }
        case .refusal(let reason):
            UnixSocket.send(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":"
                    + "{\"code\":-32000,\"message\":\"No: \(reason).\",\"data\":{\"reason\":\"\(reason)\"}}}\n",
                to: connection)
        case .bytes(let bytes): UnixSocket.send(bytes, to: connection)
        case .endless:
            let bytes = String(repeating: "[", count: 65_536)
            while UnixSocket.send(bytes, to: connection) {}
            return false
        case .flood(let result, let line):
            UnixSocket.send(Self.reply(result), to: connection)
            while UnixSocket.send(line, to: connection) {}
            return false
        case .silence: break
        case .end: return false
        }
        return true
    }

    private static func reply(_ result: String) -> String {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\(result)}\n"
    }
}
