import Glibc

extension String {
    /// The system's message for a value of `errno`.
    package init(systemError number: Int32) {
        // The text is copied at once, and is valid until this thread's next call of strerror.
        self = unsafe String(cString: strerror(number))
    }

    /// The path of an existing file without symbolic links; nil if it cannot be resolved.
    /// - Throws: ``InvalidPath`` if it is not valid UTF-8.
    package init?(resolving path: String) throws(InvalidPath) {
        // realpath allocates a text with a final NUL, which is freed after it is copied.
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        guard let text = unsafe String(validatingCString: resolved) else { throw InvalidPath() }
        self = text
    }

    /// The path to which a symbolic link leads; nil if it is none.
    /// - Throws: ``InvalidPath`` if it is not valid UTF-8.
    package init?(targetOf link: String) throws(InvalidPath) {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        // The kernel writes at most as many bytes as there are.
        let count = unsafe readlink(link, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let target = bytes.prefix(count).map { UInt8(bitPattern: $0) }
        guard let text = String(validating: target, as: UTF8.self) else { throw InvalidPath() }
        self = text
    }

    /// The directory of a path; "." for a name alone.
    package var directory: String {
        lastIndex(of: "/").map { $0 == startIndex ? "/" : String(self[..<$0]) } ?? "."
    }
}

/// The error for a path that is not valid UTF-8.
package struct InvalidPath: Error {}
