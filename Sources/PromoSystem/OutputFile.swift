import Glibc

/// A file for other programs, which is replaced in one step so that they read either the old contents or the new ones.
///
/// A symbolic link is followed. Anything but a regular file, such as a pipe or `/dev/null`, is written to rather than replaced.
package struct OutputFile: Sendable {
    /// The error if the file could not be replaced; the old one stays.
    package struct Refusal: Error, Sendable, CustomStringConvertible {
        /// The reason, as a clause.
        package let description: String
    }

    private let path: String
    private let mode: UInt32?

    /// Creates the file of a path.
    /// - Parameter mode: the mode of a file that replaces anything in its place, a link or a pipe, too, because other users may write to the
    ///   directory; nil for one that keeps its mode, or if it is new, that all users may read as far as `umask` allows.
    package init(_ path: String, replacingAnythingWith mode: UInt32? = nil) {
        (self.path, self.mode) = (path, mode)
    }

    /// Replaces the file.
    package func replace(with bytes: [UInt8]) throws(Refusal) {
        let status = mode == nil ? stat(of: path) : nil
        if let status, status.kind != S_IFREG { return try write(bytes) }
        let target = mode == nil ? (try? String(resolving: path)) ?? path : path
        let start = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
        // The name is not derived from the file's, which may already have the maximum length.
        let temporary = "\(target[..<start]).promod-output.\(getpid())"
        // An earlier process with this id may have been killed.
        FileSystem.unlink(temporary)
        let descriptor = FileSystem.open(
            temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode: mode ?? 0o644)
        guard descriptor >= 0 else { throw refusal }
        let isDone = FileSystem.replace(
            target, with: [bytes], through: temporary, descriptor, mode: mode ?? status.map { $0.st_mode & 0o7777 })
        let refusal = refusal
        close(descriptor)
        if !isDone { throw refusal }
    }

    private func write(_ bytes: [UInt8]) throws(Refusal) {
        let descriptor = FileSystem.open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw refusal }
        defer { close(descriptor) }
        guard Descriptor.writeAll(bytes, to: descriptor) else { throw refusal }
    }

    private var refusal: Refusal { Refusal(description: "\(path) cannot be written: \(String(systemError: errno))") }
}
