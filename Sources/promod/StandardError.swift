import Glibc
import PromoWire

/// Messages for people, apart from output for programs.
enum StandardError {
    static func write(_ line: String) {
        // Catalogs have their say in messages, and must not command the terminal.
        let printable = line.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
        let bytes = Array((printable.joined(separator: "\n") + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
