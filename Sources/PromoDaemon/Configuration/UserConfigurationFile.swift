import Glibc

/// The user's configuration file, for somebody who changes it.
package struct UserConfigurationFile: Sendable {
    /// The file itself, behind a symbolic link where its owner keeps it elsewhere.
    package let path: String
    /// What stands in it; nil where there is none.
    package let text: String?

    /// Reads the file of a directory.
    /// - Throws: ``SystemError``, and ``ConfigurationProblem`` where it is no text.
    package init(directory: String) throws {
        let written = directory + "/config.toml"
        if let resolved = realpath(written, nil) {
            path = String(cString: resolved)
            free(resolved)
        } else {
            path = written
        }
        guard let bytes = try FileReader.read(path, maximumBytes: 1 << 16) else {
            text = nil
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationProblem(place: path, message: "the file is no UTF-8 text")
        }
        self.text = text
    }

    /// Puts another text in its place, at once and with the file's own mode.
    package func replace(with text: String) throws(SystemError) {
        let parts = path.split(separator: "/").map(String.init)
        let directory = PrivateDirectory(path: "/" + parts.dropLast().joined(separator: "/"))
        let name = parts.last ?? "config.toml"
        var status = stat()
        let isThere = stat(path, &status) == 0
        try directory.replace(name, with: [Array(text.utf8)])
        if isThere { chmod(path, status.st_mode & 0o777) }
    }
}
