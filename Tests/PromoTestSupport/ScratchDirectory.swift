import Foundation

/// A directory for one test, which is removed when the test ends.
package final class ScratchDirectory: Sendable {
    /// The path, which is short enough for a socket's address.
    package let path: String

    /// Makes a directory, mode 0700.
    package init() throws {
        var template = Array("/tmp/promod-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of an entry.
    package func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Writes a file, and creates the directories above it.
    package func write(_ name: String, _ text: String) throws {
        let url = URL(fileURLWithPath: self(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// Installs a copy of a program, and creates the directories above it.
    ///
    /// Another process writes it. A child that a parallel test starts while this process has the file open would hold it open too,
    /// and a program that is open for writing cannot be run.
    package func install(_ name: String, copying program: String) throws {
        let (end, _, error) = try ChildProcess.run(["/usr/bin/install", "-D", "--mode=755", program, self(name)])
        guard end == .exited(0) else { throw TestFailure("\(program) was not installed: \(error)") }
    }

    /// Makes a symbolic link in a directory that exists.
    package func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: self(name), withDestinationPath: target)
    }

    /// The text of a file; empty if there is none.
    package func read(_ name: String) -> String {
        (try? String(contentsOfFile: self(name), encoding: .utf8)) ?? ""
    }
}
