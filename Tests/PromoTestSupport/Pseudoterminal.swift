import Foundation
import Glibc

/// A terminal of a given width, on which a program under test draws.
package final class Pseudoterminal: Sendable {
    /// The master side, on which what the program writes is read.
    private let master: Int32
    private let slavePath: String

    /// TIOCSPTLCK and TIOCGPTN, which are macros that Swift cannot import.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// Opens a terminal. With 0 columns, the kernel does not know its size.
    package init(columns: Int, rows: Int = 24) throws {
        // This does what posix_openpt, unlockpt and ptsname do, which Swift cannot import.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (isLocked, number): (Int32, UInt32) = (0, 0)
        guard master >= 0, ioctl(master, Self.setLock, &isLocked) == 0, ioctl(master, Self.getNumber, &number) == 0
        else {
            throw TestFailure("cannot open a pseudo-terminal: \(String(cString: strerror(errno)))")
        }
        slavePath = "/dev/pts/\(number)"
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        guard ioctl(master, UInt(TIOCSWINSZ), &size) == 0 else {
            throw TestFailure("cannot set the size of the pseudo-terminal: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(master)
    }

    /// Starts a program with the terminal as its input, output and error.
    package func start(_ arguments: [String], environment: [String: String]) throws -> ChildProcess {
        let slave = open(slavePath, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw TestFailure("cannot open \(slavePath)") }
        defer { close(slave) }
        return try ChildProcess(
            arguments, environment: environment, descriptors: [(slave, 0), (slave, 1), (slave, 2)])
    }

    /// Starts a program in a session of its own, whose terminal this is: the terminal sends its signals, and stops it.
    package func startSession(_ arguments: [String], environment: [String: String]) throws -> ChildProcess {
        try start(["setsid", "--ctty", "--wait"] + arguments, environment: environment)
    }

    /// What the terminal does with what is typed: its input and local modes, and its characters.
    package var settings: String {
        var settings = termios()
        tcgetattr(master, &settings)
        return "\(settings.c_iflag) \(settings.c_lflag) \(settings.c_cc)"
    }

    /// Types a text.
    package func write(_ text: String) {
        _ = Glibc.write(master, text, text.utf8.count)
    }

    /// Reads what is drawn until it contains a text, or until every program on the terminal has ended.
    package func read(until text: String? = nil) -> String {
        var drawn: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var poller = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        // When the last program has closed the terminal, reading fails, which ends the loop.
        while poll(&poller, 1, 30_000) == 1 {
            let count = Glibc.read(master, &buffer, buffer.count)
            guard count > 0 else { break }
            drawn += buffer[..<count]
            if let text, String(decoding: drawn, as: UTF8.self).contains(text) { break }
        }
        return String(decoding: drawn, as: UTF8.self)
    }
}
