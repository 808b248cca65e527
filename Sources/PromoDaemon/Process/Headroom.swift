import CLinux
import Glibc

/// What the process may still take from the system, for libraries that end the process if they cannot have it.
enum Headroom {
    /// Whether the process can open some more descriptors.
    static func hasDescriptors(_ count: Int) -> Bool {
        let opened = (0..<count).map { _ in promod_eventfd() }
        for descriptor in opened where descriptor >= 0 { close(descriptor) }
        return !opened.contains { $0 < 0 }
    }

    /// Whether the process can start some more threads, at most 8.
    static func hasThreads(_ count: Int) -> Bool { promod_can_start_threads(Int32(count)) != 0 }
}
