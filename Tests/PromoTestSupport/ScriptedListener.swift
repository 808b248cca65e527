import Foundation
import Glibc
import Synchronization

/// A socket in place of a daemon's, which answers each connection by a script.
package final class ScriptedListener: Sendable {
    /// The answer to a connection.
    package enum Answer: Sendable {
        /// Nothing; the connection stays open.
        case silence
        /// A text after the first line from the client, and then the end of the connection.
        case text(String)
        /// The same bytes repeatedly, without a line feed, until the client closes the connection.
        case endless(String)
        /// The end of the connection at once.
        case end
    }

    private let descriptor: Int32
    private let script: [Answer]
    private let connections = Mutex<[UnixConnection]>([])
    private let lines = Mutex<[String]>([])

    /// Listens. The last answer of the script is repeated for all further connections.
    package init(at path: String, _ script: Answer...) throws {
        self.script = script
        unlink(path)
        descriptor = try UnixSocket.listen(at: path)
        let thread = Thread { [weak self, descriptor] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                self?.serve(UnixConnection(descriptor: connection))
            }
        }
        thread.start()
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    /// The first line on each connection that was answered with a text.
    package var requests: [String] { lines.withLock(\.self) }

    /// The number of accepted connections.
    package var count: Int { connections.withLock { $0.count } }

    private func serve(_ connection: UnixConnection) {
        let number = connections.withLock { connections in
            connections.append(connection)
            return connections.count - 1
        }
        let answer = script[min(number, script.count - 1)]
        let thread = Thread { [self] in
            switch answer {
            case .silence: break
            case .end: connection.end()
            case .text(let text):
                let line = connection.readLine()
                lines.withLock { $0.append(line) }
                connection.send(text)
                connection.end()
            case .endless(let text):
                connection.readLine()
                let block = String(repeating: text, count: 65_536 / text.utf8.count)
                while connection.send(block) {}
                connection.end()
            }
        }
        thread.start()
    }
}

/// The listener's side of a connection.
private final class UnixConnection: Sendable {
    private let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Reads up to the first line feed.
    @discardableResult
    func readLine() -> String {
        var (line, byte): ([UInt8], UInt8) = ([], 0)
        while recv(descriptor, &byte, 1, 0) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    @discardableResult
    func send(_ text: String) -> Bool { UnixSocket.send(text, to: descriptor) }

    func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
