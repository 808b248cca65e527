import Dispatch
import Glibc
import PromoDaemon
import PromoSystem
import PromoWire

/// Writes the output, and ends the command if it cannot be written.
enum StandardOutput {
    /// Writes text unchanged.
    static func write(_ text: String) throws {
        guard Descriptor.writeAll(Array(text.utf8), to: STDOUT_FILENO) else {
            throw CommandFailure(74, "the output cannot be written: \(String(systemError: errno))")
        }
    }

    /// Writes lines that cannot control a terminal.
    static func write(lines: [String]) throws {
        try write(lines.map { $0.printable + "\n" }.joined())
    }

    /// Ends the process when the other end of a pipe is closed, as that of a `promoctl` that was killed: nobody is left to read.
    static func endWithReader() {
        guard [S_IFIFO, S_IFSOCK].contains(stat(of: STDOUT_FILENO)?.kind) else { return }
        DispatchQueue(label: "promod.reader").async {
            var watched = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            // The kernel reads and writes one entry.
            while unsafe poll(&watched, 1, -1) < 0 && errno == EINTR {}
            _exit(74)
        }
    }

    /// Writes one line of JSON.
    static func write(json body: (inout JSONWriter) -> Void) throws {
        var writer = JSONWriter()
        body(&writer)
        try write(String(decoding: writer.bytes[...].printableJSON, as: UTF8.self) + "\n")
    }
}

/// Writes messages for people, which do not belong to the output.
enum StandardError {
    static func write(_ line: String) {
        let bytes = Array((line.messageLines.joined(separator: "\n") + "\n").utf8)
        Descriptor.write(bytes.span, to: STDERR_FILENO)
    }
}

/// The error with which a command ends: its exit code of sysexits.h, and its lines on standard error.
struct CommandFailure: Error {
    private let code: Int32
    private let lines: [String]

    init(_ code: Int32, _ message: String) {
        (self.code, lines) = (code, [message])
    }

    /// The failure for an error; nil for wrong usage, and for an exit code alone.
    init?(_ error: any Error) {
        switch error {
        case let failure as Self: self = failure
        case let failure as StartFailure: (code, lines) = (failure.exitCode.rawValue, [failure.description])
        case let bad as BadConfiguration: (code, lines) = (ExitCode.configuration.rawValue, bad.lines)
        case let unreadable as SystemError: (code, lines) = (66, ["\(unreadable)"])
        default: return nil
        }
    }

    func end() -> Never {
        for line in lines { StandardError.write("promod: \(line)") }
        exit(code)
    }
}
