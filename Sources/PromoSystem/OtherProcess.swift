import Glibc

/// The files of another process in `/proc`.
package enum OtherProcess {
    /// The first 4,096 bytes of a file in the process's directory, as text; nil if it cannot be read.
    package static func text(_ name: String, of pid: Int) -> String? {
        let descriptor = FileSystem.open("/proc/\(pid)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Descriptor.read(from: descriptor, into: &buffer)
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
}
