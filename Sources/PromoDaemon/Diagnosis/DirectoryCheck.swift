import Glibc
import PromoSystem
package import PromoWire

/// Checks whether this process can use promod's directories.
package struct DirectoryCheck: Sendable {
    private let directories: Directories
    private let cache: String

    /// - Parameter cache: the cache directory, if it is not the one in `directories`.
    package init(_ directories: Directories, cache: String? = nil) {
        self.directories = directories
        self.cache = cache ?? directories.cache
    }

    /// Whether the cache and the state can be written.
    package var disks: [Diagnosis] {
        [
            disk("Cache", cache, "Until that is fixed, the catalog is kept only in memory."),
            disk("Reviews", directories.state, "Until that is fixed, review requests are refused."),
        ]
    }

    /// Whether the files of the configuration and of the drop-ins can be read.
    var configuration: Diagnosis {
        let all = [directories.configuration] + directories.systemConfiguration + directories.dropIns.map(\.path)
        for directory in all {
            // What is not there is nothing to read, and neither is what would be below a file.
            guard let number = Self.obstacle(to: R_OK | X_OK, in: directory),
                number != ENOENT, number != ENOTDIR || stat(of: directory) != nil
            else { continue }
            return Diagnosis(
                "Directories", .bad,
                "promod cannot read \(directory): \(String(systemError: number)). Its configuration is ignored. "
                    + "Try: ls -ld \(directory)")
        }
        return Diagnosis("Directories", .good, "promod can read its configuration in \(directories.configuration)")
    }

    /// Why this process has no such access to a directory, as an `errno`; nil if it has.
    private static func obstacle(to access: Int32, in directory: String) -> Int32? {
        if let status = stat(of: directory), status.kind != S_IFDIR { return ENOTDIR }
        return FileSystem.access(directory, access) == 0 ? nil : errno
    }

    private func disk(_ subject: String, _ directory: String, _ consequence: String) -> Diagnosis {
        var existing = directory
        while stat(ofLink: existing) == nil, let slash = existing.lastIndex(of: "/"),
            slash > existing.startIndex
        {
            existing = String(existing[..<slash])
        }
        guard let number = Self.obstacle(to: W_OK | X_OK, in: existing) else {
            return Diagnosis(subject, .good, "\(directory) can be written")
        }
        let reason = String(systemError: number)
        return Diagnosis(
            subject, .bad, "\(existing) cannot be written: \(reason). \(consequence) Try: ls -ld \(existing)")
    }
}
