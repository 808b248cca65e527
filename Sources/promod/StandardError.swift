import Glibc
import PromoSystem
import PromoWire

/// Writes messages for people, which do not belong to the output.
enum StandardError {
    static func write(_ line: String) {
        // Messages quote catalogs, whose text must not control the terminal.
        let lines = line.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let printable = lines.map { OutsideText($0).text.printable }
        let bytes = Array((printable.joined(separator: "\n") + "\n").utf8)
        Descriptor.write(bytes.span, to: STDERR_FILENO)
    }
}
