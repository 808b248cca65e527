import CrossPromoKit
import Glibc
import PromoSystem

/// promod as a program that this one starts.
enum DaemonProgram {
    /// The program beside this one, else the one on the `PATH`.
    private static var path: String {
        guard let own = try? String(resolving: "/proc/self/exe") else { return "promod" }
        let beside = own.directory + "/promod"
        return FileSystem.access(beside, X_OK) == 0 ? beside : "promod"
    }

    static func start(_ arguments: [String], output: Subprocess.Output) throws(CommandFailure) -> Subprocess {
        do { return try Subprocess([path] + arguments, output: output) } catch { throw missing(error) }
    }

    private static func missing(_ failure: Subprocess.Failure) -> CommandFailure {
        CommandFailure(.unreachable, "\(failure). promod must be installed beside promoctl, or be on the PATH.")
    }

    /// Runs promod to its end.
    /// - Returns: the lines that it has printed, and its exit code.
    static func run(_ arguments: [String]) throws(CommandFailure) -> (lines: [String], code: Int32?) {
        do {
            let (output, code) = try Subprocess.run([path] + arguments, input: "", merging: true)
            return (String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init), code)
        } catch {
            throw missing(error)
        }
    }

    /// Runs a promod that serves a catalog's file, and ends it after the body. That promod itself prints what is wrong in the file.
    static func serving<Result>(_ file: String, _ body: (DaemonClient) throws -> Result) throws -> Result {
        let (ours, theirs) = SocketPair.open()
        defer { close(ours) }
        let child: Subprocess
        do {
            defer { close(theirs) }
            let arguments = ["--catalog-file=\(file)", "--log-level=critical"]
            child = try start(arguments, output: .descriptor(theirs, withErrors: false))
        }
        var line = [UInt8](repeating: 0, count: 256)
        // It writes the line at once.
        let count = Descriptor.read(from: ours, into: &line)
        guard count > 0 else { throw CommandFailure(code: child.wait() ?? EX_SOFTWARE) }
        defer {
            child.terminate()
            _ = child.wait()
        }
        let socket = line[..<(count - 1)].split(separator: UInt8(ascii: "=")).last ?? []
        return try body(DaemonClient(socketPath: String(decoding: socket, as: UTF8.self)))
    }
}
