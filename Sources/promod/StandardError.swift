import Glibc
import PromoProcess
import PromoWire

/// Writes messages for people, which are kept apart from the output on standard output.
enum StandardError {
    static func write(_ line: String) {
        // Messages quote catalogs, which must not control the terminal.
        let lines = line.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let printable = lines.map { OutsideText($0).text.printable }
        let bytes = Array((printable.joined(separator: "\n") + "\n").utf8)
        Descriptor.write(bytes.span, to: STDERR_FILENO)
    }
}
