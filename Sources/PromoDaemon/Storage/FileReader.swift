import Glibc
import PromoSystem

/// Reads whole files of a bounded size.
package enum FileReader {
    /// A file's bytes; nil if there is no such file.
    /// - Throws: ``SystemError``, for example with `EFBIG` for a file over the limit and `EISDIR` for a directory.
    package static func read(_ path: String, maximumBytes: Int) throws(SystemError) -> [UInt8]? {
        // Non-blocking, so that a FIFO put in the file's place cannot hang the daemon.
        let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            // A socket cannot be opened.
            throw SystemError("read", path, number: errno == ENXIO ? SystemError.notRegular : errno)
        }
        defer { close(descriptor) }
        guard let status = stat(of: descriptor) else { throw SystemError("read", path) }
        guard status.kind == S_IFREG else {
            throw SystemError("read", path, number: status.kind == S_IFDIR ? EISDIR : SystemError.notRegular)
        }
        guard status.st_size <= maximumBytes else { throw SystemError("read", path, number: EFBIG) }
        return try readAll(descriptor, path, expected: Int(status.st_size), maximumBytes: maximumBytes)
    }

    /// Everything on the standard input.
    package static func readStandardInput(maximumBytes: Int) throws(SystemError) -> [UInt8] {
        try readAll(STDIN_FILENO, "the standard input", expected: 0, maximumBytes: maximumBytes)
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
