import Glibc
import PromoCore
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

    /// Whether a newer promod has written a file.
    static func isNewer(_ path: String, than format: Int) -> Bool {
        let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: FileFormat.headBytes)
        return Descriptor.read(from: descriptor, into: &head) > 0 && FileFormat.isNewer(head, than: format)
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

/// Reads the names in a directory, up to a limit.
package enum DirectoryReader {
    /// The names in a directory, in no order, without `.` and `..`; none if there is no such directory. Invalid UTF-8 becomes U+FFFD.
    /// - Throws: ``SystemError``, for example for more than `maximum` names, or with `ENOTDIR` for a file.
    package static func names(in path: String, maximum: Int) throws(SystemError) -> [String] {
        guard let stream = unsafe opendir(path) else {
            let number = errno
            if number == ENOENT || number == ENOTDIR && stat(of: path) == nil { return [] }
            throw SystemError("read", path, number: number)
        }
        // The stream stays open until the end, and a name is copied before the next entry is read.
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                guard errno == 0 else { throw SystemError("read", path) }
                return names
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard name != ".", name != ".." else { continue }
            guard names.count < maximum else { throw SystemError("read", path, number: SystemError.tooManyFiles) }
            names.append(name)
        }
    }
}

/// A file of promod's own in a private directory.
struct StoredFile<Contents: FileContents>: Sendable {
    /// Why the file cannot be used, as a clause.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    let directory: PrivateDirectory
    let name: String
    /// More than the longest contents take.
    let maximumBytes: Int

    var path: String { directory.path(of: name) }

    func read() throws(Problem) -> Contents? {
        let bytes: [UInt8]?
        do throws(SystemError) { bytes = try FileReader.read(path, maximumBytes: maximumBytes) } catch {
            throw Problem(description: error.description)
        }
        guard let bytes else { return nil }
        guard let contents = Contents(fileBytes: bytes) else {
            throw Problem(description: "\(path) is not a valid \(Contents.noun)")
        }
        return contents
    }

    /// Whether a newer promod has written the file.
    var isNewer: Bool {
        Contents.format.map { FileReader.isNewer(path, than: $0) } ?? false
    }

    @discardableResult
    func replace(with contents: Contents) throws(SystemError) -> PrivateDirectory.Durability {
        try directory.replace(name, with: [contents.fileBytes])
    }
}
