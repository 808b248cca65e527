import Foundation
import Glibc

/// A pipe from a program under test, read line by line.
package final class LinePipe {
    /// The end to hand to a program.
    package private(set) var writingEnd: Int32
    private let readingEnd: Int32
    private var bytes: [UInt8] = []

    /// Opens a pipe that no other program inherits.
    package init() throws {
        var ends: [Int32] = [0, 0]
        // A socket pair rather than a pipe, because it is opened with close-on-exec set.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw TestFailure("cannot make a socket pair")
        }
        readingEnd = ends[0]
        writingEnd = ends[1]
    }

    deinit {
        close(readingEnd)
        closeWritingEnd()
    }

    /// Closes this process's copy of the other end, so that the pipe ends with the program.
    package func closeWritingEnd() {
        if writingEnd >= 0 { close(writingEnd) }
        writingEnd = -1
    }

    /// The next line; nil at the end, and after a timeout.
    package func line(seconds: Int32 = 20) -> String? {
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes.removeFirst(end + 1) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            var poller = pollfd(fd: readingEnd, events: Int16(POLLIN), revents: 0)
            guard poll(&poller, 1, seconds * 1000) == 1 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = read(readingEnd, &buffer, buffer.count)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
    }

    /// The next line, which has to come.
    package func next() throws -> String {
        guard let line = line() else { throw TestFailure("the program ended, or wrote nothing for twenty seconds") }
        return line
    }

    /// All lines up to the end.
    package func rest() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }
}
