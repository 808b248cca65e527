import Glibc
import PromoProcess
import PromoWire

/// Writes messages for people, which are kept apart from the output on standard output.
enum StandardError {
    static func write(_ line: String) {
        // Messages quote catalogs, which must not control the terminal.
        let printable = line.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
        let bytes = Array((printable.joined(separator: "\n") + "\n").utf8)
        Descriptor.write(bytes.span, to: STDERR_FILENO)
    }
}
