import Glibc

/// A file for other programs, which is replaced in one step, so that they read the old contents or the new ones.
///
/// A link is followed. Anything but a regular file, such as a pipe or `/dev/null`, is written to and not replaced.
package struct OutputFile: Sendable {
    /// Why the file was not replaced; then the old one is still there.
    package struct Refusal: Error, Sendable, CustomStringConvertible {
        /// What happened, as a clause.
        package let description: String
    }

    private let path: String
    private let replacesAnything: Bool

    /// The file of a path.
    /// - Parameter replacesAnything: whether a link, a pipe or whatever else is in its place is replaced too, because others may write to
    ///   the directory.
    package init(_ path: String, replacesAnything: Bool = false) {
        self.path = path
        self.replacesAnything = replacesAnything
    }

    /// Replaces the file, which keeps its mode. All users may read a new one, as far as `umask` allows.
    package func replace(with bytes: [UInt8]) throws(Refusal) {
        let status = replacesAnything ? nil : stat(of: path)
        if let status, status.kind != S_IFREG { return try write(bytes) }
        let target = replacesAnything ? path : (try? String(resolving: path)) ?? path
        let start = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
        // Not made from the name, which may be as long as a name can be.
        let temporary = "\(target[..<start]).promod-output.\(getpid())"
        // A process of this number may have been killed before.
        FileSystem.unlink(temporary)
        let descriptor = FileSystem.open(
            temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode: 0o644)
        guard descriptor >= 0 else { throw refusal }
        var isWritten = Descriptor.writeAll(bytes, to: descriptor) && fsync(descriptor) == 0
        if isWritten, let status { isWritten = fchmod(descriptor, status.st_mode & 0o7777) == 0 }
        // A second reason would hide the first.
        let reason = errno
        close(descriptor)
        errno = reason
        guard isWritten, FileSystem.rename(temporary, to: target) == 0 else {
            let refusal = refusal
            FileSystem.unlink(temporary)
            throw refusal
        }
    }

    private func write(_ bytes: [UInt8]) throws(Refusal) {
        let descriptor = FileSystem.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw refusal }
        defer { close(descriptor) }
        guard Descriptor.writeAll(bytes, to: descriptor) else { throw refusal }
    }

    private var refusal: Refusal { Refusal(description: "\(path) cannot be written: \(String(systemError: errno))") }
}
