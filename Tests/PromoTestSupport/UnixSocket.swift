import Foundation
package import Glibc

/// A blocking client of a Unix-domain stream socket, with a timeout of ten seconds.
package final class UnixSocket: Sendable {
    private static let timeout = timeval(tv_sec: 10, tv_usec: 0)

    package let descriptor: Int32

    /// Connects.
    package init(connectingTo path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var timeout = Self.timeout
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        guard Self.withAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw TestFailure("cannot connect to \(path): \(reason)")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Opens a listening socket at a path.
    package static func listen(at path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard withAddress(path, { bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 128) == 0 else {
            throw TestFailure("cannot listen on \(path): \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    /// Sends a text; false if the peer has closed the connection.
    @discardableResult
    package func send(_ text: String) -> Bool { Self.send(text, to: descriptor) }

    /// Sends a text to a connection; false if the peer has closed it.
    @discardableResult
    static func send(_ text: String, to connection: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Shuts down the write side.
    package func shutdownWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads `count` lines, or fewer if the peer closes the connection first or the timeout passes.
    package func readLines(_ count: Int) -> [String] {
        read(lines: count)
    }

    /// Reads all lines until the peer closes the connection.
    package func readToEnd() -> [String] {
        read(lines: .max)
    }

    private func read(lines wanted: Int) -> [String] {
        var bytes: [UInt8] = []
        var missing = wanted
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while missing > 0 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            missing -= buffer[..<count].count { $0 == UInt8(ascii: "\n") }
            bytes.append(contentsOf: buffer[..<count])
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    package static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
