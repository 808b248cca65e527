import Glibc

/// A directory of the user's own, mode 0700, in which files are replaced so that a reader sees the old bytes or the new,
/// and after a power cut too.
package struct PrivateDirectory: Sendable {
    package let path: String

    /// A directory that ``create()`` makes where it is missing.
    package init(path: String) {
        self.path = path
    }

    /// The path of a file in it.
    package func path(of name: String) -> String { path + "/" + name }

    /// Makes the directory, and those above it, where they are missing; one that is there keeps its mode.
    package func create() throws(SystemError) {
        var made = ""
        for component in path.split(separator: "/") {
            made += "/" + component
            if mkdir(made, 0o700) == 0 || errno == EEXIST { continue }
            let error = SystemError("make the directory", made)
            // A read-only or forbidden parent that exists answers so before it says that it exists.
            if access(made, F_OK) != 0 { throw error }
        }
    }

    /// Puts bytes in a file's place: a temporary file beside it, fsync, rename, fsync of the directory.
    package func replace(_ name: String, with bytes: some Collection<[UInt8]>) throws(SystemError) {
        try create()
        let target = path(of: name)
        // One writer holds the directory's lock, so the name cannot be taken, and what a crash left is overwritten.
        let temporary = path(of: ".\(name).new")
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError("write", temporary) }
        do throws(SystemError) {
            defer { close(descriptor) }
            for part in bytes { try Self.write(part, to: descriptor, temporary) }
            guard fsync(descriptor) == 0 else { throw SystemError("write", temporary) }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, target) == 0 else {
            let error = SystemError("replace", target)
            unlink(temporary)
            throw error
        }
        try synchronize()
    }

    /// Removes a file, where it is there.
    package func remove(_ name: String) throws(SystemError) {
        guard unlink(path(of: name)) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return }
            throw SystemError("remove", path(of: name))
        }
        try synchronize()
    }

    /// Gives a file another name, in place of whatever has that name.
    package func move(_ name: String, to other: String) throws(SystemError) {
        guard rename(path(of: name), path(of: other)) == 0 else { throw SystemError("rename", path(of: name)) }
        try synchronize()
    }

    private func synchronize() throws(SystemError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open", path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SystemError("write", path) }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write", path) }
            rest = rest.dropFirst(count)
        }
    }
}
