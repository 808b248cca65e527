import Glibc

/// The system calls that move bytes through a descriptor. Each returns the number of bytes, or -1 with the reason in `errno`.
///
/// Each buffer is passed with its length, and the kernel does not use it after the call.
package enum Descriptor {
    /// read(2).
    package static func read(from descriptor: Int32, into buffer: inout [UInt8]) -> Int {
        unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
    }

    /// Reads to the end, in several calls if necessary.
    /// - Parameter maximum: the number of bytes after which the rest is read and dropped.
    package static func readToEnd(of descriptor: Int32, keeping maximum: Int) -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(from: descriptor, into: &buffer)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return result }
            if result.count < maximum { result += buffer[..<count] }
        }
    }

    /// write(2).
    @discardableResult
    package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> Int {
        unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Writes all bytes, in several calls if necessary, and waits for room, also if another program has made the descriptor non-blocking.
    /// - Returns: false if the kernel refuses, with the reason in `errno`.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(rest.span, to: descriptor)
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN {
                var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                // The kernel changes the one poller.
                unsafe poll(&poller, 1, -1)
                continue
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// send(2), without a signal if the peer is gone.
    /// - Parameter waits: whether it waits for room, if the descriptor is blocking.
    package static func send(_ bytes: Span<UInt8>, to descriptor: Int32, waits: Bool = true) -> Int {
        let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
        return unsafe bytes.withUnsafeBytes { unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
    }

    /// Makes output that cannot be written an error that a program can report. A limit on the size of files no longer kills it. /dev/null,
    /// not open for writing, takes the place of standard descriptors that the parent closed, so that no file or socket does.
    package static func prepareOutput() {
        signal(SIGXFSZ, SIG_IGN)
        var descriptor: Int32
        repeat { descriptor = FileSystem.open("/dev/null", O_RDONLY) } while 0...STDERR_FILENO ~= descriptor
        if descriptor >= 0 { close(descriptor) }
    }
}
