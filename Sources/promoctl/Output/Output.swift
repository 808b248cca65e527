import CrossPromoKit
import Glibc
import PromoSystem
import PromoWire

/// Writes results to standard output, and everything else to standard error.
enum Output {
    /// Prints a line; the caller makes text from a catalog printable first.
    static func line(_ text: String) throws(CommandFailure) {
        try self.text(text + "\n")
    }

    /// Prints text that contains its own line ends.
    static func text(_ text: String) throws(CommandFailure) {
        try write(Array(text.utf8))
    }

    /// Prints lines.
    static func lines(_ lines: [String]) throws(CommandFailure) {
        try text(lines.map { $0 + "\n" }.joined())
    }

    /// Prints a result on one line.
    static func json(_ value: JSONValue) throws(CommandFailure) {
        try json(bytes: value.text)
    }

    /// Prints a value on one line.
    static func json(_ value: some JSONWritable) throws(CommandFailure) {
        var writer = JSONWriter()
        value.write(to: &writer)
        try json(bytes: writer.bytes[...])
    }

    /// Prints JSON on one line.
    static func json(bytes: ArraySlice<UInt8>) throws(CommandFailure) {
        try write(bytes.printableJSON + [UInt8(ascii: "\n")])
    }

    /// Prints bytes that contain their own line ends, or replaces a file with them.
    static func bytes(_ bytes: [UInt8], to path: String? = nil) throws(CommandFailure) {
        guard let path, path != "-" else { return try write(bytes) }
        do {
            try OutputFile(path).replace(with: bytes)
        } catch {
            throw CommandFailure(.outputError, error.description)
        }
    }

    /// Prints a line for people on standard error.
    /// - Parameter isWrapped: whether on a terminal what does not fit stands below, indented.
    static func note(_ text: String, isWrapped: Bool = false) {
        if isWrapped, let columns = Terminal.standardError.columns {
            return text.hanging(in: columns).forEach { note($0) }
        }
        prompt(text + "\n")
    }

    /// Prints text on standard error without a line end, such as a question, so that the answer follows on the same line.
    static func prompt(_ text: String) {
        _ = Descriptor.writeAll(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Prints why the command failed, and exits.
    static func end(_ failure: CommandFailure, isJSON: Bool) -> Never {
        if let message = failure.message {
            note(
                isJSON
                    ? String(decoding: failure.json, as: UTF8.self)
                    : "promoctl: \(message.printable.messageLines.joined())")
        }
        exit(failure.code)
    }

    private static func write(_ bytes: [UInt8]) throws(CommandFailure) {
        guard Descriptor.writeAll(bytes, to: STDOUT_FILENO) else {
            throw CommandFailure(.outputError, "the output cannot be written: \(String(systemError: errno))")
        }
    }
}
