import Glibc
import PromoProcess

/// Reads whole files of a bounded size.
package enum FileReader {
    /// A file's bytes; nil if there is no such file.
    /// - Throws: ``SystemError``, for example with `EFBIG` for a file over the limit and `EISDIR` for a directory.
    package static func read(_ path: String, maximumBytes: Int) throws(SystemError) -> [UInt8]? {
        try open(path, maximumBytes: maximumBytes) { descriptor, size throws(SystemError) in
            try readAll(descriptor, path, expected: size, maximumBytes: maximumBytes)
        }
    }

    /// The first line of a file; nil if there is no such file, or if the line is longer than `maximumBytes`.
    package static func readLine(_ path: String, maximumBytes: Int) throws(SystemError) -> [UInt8]? {
        try open(path, maximumBytes: .max) { descriptor, _ throws(SystemError) in
            var line: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while line.count < maximumBytes {
                let count = Descriptor.read(from: descriptor, into: &buffer)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { break }
                let end = buffer[..<count].firstIndex(of: UInt8(ascii: "\n"))
                line.append(contentsOf: buffer[..<(end ?? count)])
                if end != nil { return line }
            }
            return nil
        }
    }

    private static func open(
        _ path: String, maximumBytes: Int, _ body: (_ descriptor: Int32, _ size: Int) throws(SystemError) -> [UInt8]?
    ) throws(SystemError) -> [UInt8]? {
        // Non-blocking, so that a FIFO put in the file's place cannot hang the daemon.
        let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            // A socket cannot be opened.
            throw SystemError("read", path, number: errno == ENXIO ? SystemError.notRegular : errno)
        }
        defer { close(descriptor) }
        guard let status = stat(of: descriptor) else { throw SystemError("read", path) }
        try check(status, path, maximumBytes)
        return try body(descriptor, Int(status.st_size))
    }

    /// Everything on the standard input.
    package static func readStandardInput(maximumBytes: Int) throws(SystemError) -> [UInt8] {
        try readAll(STDIN_FILENO, "the standard input", expected: 0, maximumBytes: maximumBytes)
    }

    /// Checks that a file could be read, without opening it.
    /// - Throws: what ``read(_:maximumBytes:)`` would throw, and `ENOENT` if there is no such file.
    package static func check(_ path: String, maximumBytes: Int) throws(SystemError) {
        guard let status = stat(of: path) else { throw SystemError("read", path) }
        try check(status, path, maximumBytes)
        guard FileSystem.access(path, R_OK) == 0 else { throw SystemError("read", path) }
    }

    private static func check(_ status: stat, _ path: String, _ maximumBytes: Int) throws(SystemError) {
        guard status.kind == S_IFREG else {
            throw SystemError("read", path, number: status.kind == S_IFDIR ? EISDIR : SystemError.notRegular)
        }
        guard status.st_size <= maximumBytes else { throw SystemError("read", path, number: EFBIG) }
    }

    /// Whether the path exists, even as a dangling symbolic link.
    package static func exists(_ path: String) throws(SystemError) -> Bool {
        if stat(ofLink: path) != nil { return true }
        if errno == ENOENT || errno == ENOTDIR { return false }
        throw SystemError("look for", path)
    }

    private static func readAll(
        _ descriptor: Int32, _ path: String, expected: Int, maximumBytes: Int
    ) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(expected)
        // One byte more than expected, so that the second read of a file that did not grow finds its end.
        var buffer = [UInt8](repeating: 0, count: min(max(expected + 1, 4096), 1 << 20))
        while true {
            let count = Descriptor.read(from: descriptor, into: &buffer)
            if count == 0 { return bytes }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw SystemError("read", path) }
            bytes.append(contentsOf: buffer[..<count])
            guard bytes.count <= maximumBytes else { throw SystemError("read", path, number: EFBIG) }
        }
    }
}
