import Glibc
import PromoProcess

/// Writes a file that did not exist before and that only its owner can read.
package enum NewFile {
    /// Writes the file, or leaves none.
    /// - Throws: ``SystemError``, with `EEXIST` if the file exists.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let descriptor = FileSystem.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode: 0o600)
        guard descriptor >= 0 else { throw SystemError("write", path) }
        defer { close(descriptor) }
        guard Descriptor.write(bytes.span, to: descriptor) == bytes.count, fsync(descriptor) == 0 else {
            let error = SystemError("write", path)
            unlink(path)
            throw error
        }
    }
}
