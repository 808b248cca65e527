import Glibc
import PromoSystem

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
