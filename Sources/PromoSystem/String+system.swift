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

    /// The directory of a path: empty for one directly below the root, and "." for a name alone.
    package var directory: String { lastIndex(of: "/").map { String(self[..<$0]) } ?? "." }
}

/// The error for a path that is not valid UTF-8.
package struct InvalidPath: Error {}
