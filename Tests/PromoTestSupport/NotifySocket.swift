import Glibc

/// The service manager's end of sd_notify, so that a test can wait for a state of the daemon instead of for time to pass.
package final class NotifySocket: Sendable {
    package let path: String
    private let descriptor: Int32

    /// Listens in a scratch directory.
    package init(in scratch: ScratchDirectory) throws {
        path = scratch("notify")
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        unlink(path)
        guard UnixSocket.withAddress(path, { bind(descriptor, $0, $1) }) == 0 else {
            throw TestFailure("cannot bind \(path)")
        }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// The next message; nil if none comes for a long time.
    package func next() -> String? {
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// Whether no message comes for a time.
    package func isSilent(for milliseconds: Int32) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&poller, 1, milliseconds) == 0
    }

    /// Reads messages up to the first that fulfils a condition, and returns them all. If none came, the last one does not fulfil it.
    @discardableResult
    package func wait(for condition: (String) -> Bool) -> [String] {
        var messages: [String] = []
        while let message = next() {
            messages.append(message)
            if condition(message) { break }
        }
        return messages
    }
}
