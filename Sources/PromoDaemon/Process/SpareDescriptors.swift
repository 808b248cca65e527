import CLinux
import Glibc

/// Descriptors that the process has left.
enum SpareDescriptors {
    /// Whether the process can open some more descriptors, for libraries that end the process if they cannot.
    static func exist(_ count: Int) -> Bool {
        let opened = (0..<count).map { _ in promod_eventfd() }
        for descriptor in opened where descriptor >= 0 { close(descriptor) }
        return !opened.contains { $0 < 0 }
    }
}
