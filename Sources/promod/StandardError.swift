import Glibc

/// Messages for people, apart from output for programs.
enum StandardError {
    static func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
