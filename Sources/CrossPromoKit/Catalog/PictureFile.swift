import FoundationEssentials
import Glibc
import PromoProcess

/// The file of an app's picture.
enum PictureFile {
    /// The largest picture that promod keeps, in bytes.
    private static let maximumBytes = 512 * 1024

    /// The picture's bytes; nil if the file cannot be read, as in a sandbox that does not show it, or if promod did not write it.
    static func read(_ file: URL?) -> Data? {
        guard let path = file?.path else { return nil }
        let descriptor = FileSystem.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let size = stat(of: descriptor)?.st_size, (1...maximumBytes).contains(size) else { return nil }
        var buffer = [UInt8](repeating: 0, count: size)
        let count = Descriptor.read(from: descriptor, into: &buffer)
        return count == size ? Data(buffer) : nil
    }
}
