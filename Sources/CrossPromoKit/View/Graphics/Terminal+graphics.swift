import Glibc
import PromoProcess

extension Terminal {
    /// The same terminal, after it was asked whether it draws pictures by the kitty graphics protocol. The question takes a moment, and
    /// up to 2 seconds with a terminal that does not reply.
    ///
    /// Only the terminal of a process in the foreground is asked, and not within tmux or screen, which show the question to people.
    public func askedForGraphics() -> Terminal {
        let environment = ProcessEnvironment().variables
        let isWrapped =
            environment["TMUX"] != nil || environment["STY"] != nil
            || ["tmux", "screen"].contains { environment["TERM"]?.hasPrefix($0) == true }
        var terminal = self
        terminal.hasGraphics = isTerminal && hasLinks && !isWrapped && TerminalDialogue.speaksGraphics()
        return terminal
    }
}

/// A question to the terminal on standard output.
private enum TerminalDialogue {
    /// How long the terminal has to reply.
    private static let patience = Duration.seconds(2)

    static func speaksGraphics() -> Bool {
        // The name is read before another call may overwrite it.
        guard let name = unsafe ttyname(STDOUT_FILENO).map({ unsafe String(cString: $0) }) else { return false }
        let descriptor = FileSystem.open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // A process in the background that changes the terminal is stopped.
        guard tcgetpgrp(descriptor) == getpgrp() else { return false }
        return withoutSignals { isInterrupted in
            var before = termios()
            // The kernel fills the settings here, and reads them below.
            guard unsafe tcgetattr(descriptor, &before) == 0 else { return false }
            var quiet = before
            quiet.c_lflag &= ~tcflag_t(ICANON | ECHO)
            quiet.c_cc.6 = 1  // VMIN
            quiet.c_cc.5 = 0  // VTIME
            guard unsafe tcsetattr(descriptor, TCSANOW, &quiet) == 0 else { return false }
            defer { _ = unsafe tcsetattr(descriptor, TCSANOW, &before) }
            return ask(descriptor, isInterrupted)
        }
    }

    private static func ask(_ descriptor: Int32, _ isInterrupted: () -> Bool) -> Bool {
        // What a person has typed ahead is for the next program.
        guard !isReadable(descriptor, within: 0) else { return false }
        let question = Array(GraphicsReply.question.utf8)
        guard Descriptor.write(question.span, to: descriptor) == question.count else { return false }
        var reply = GraphicsReply()
        var buffer = [UInt8](repeating: 0, count: 256)
        let end = SuspendingClock.now + patience
        while !reply.isWhole, !isInterrupted(), SuspendingClock.now < end {
            // In slices, so that an interruption is noticed.
            guard isReadable(descriptor, within: 50) else { continue }
            let length = Descriptor.read(from: descriptor, into: &buffer)
            guard length > 0 else { break }
            reply.take(buffer[..<length])
        }
        return reply.speaksGraphics
    }

    private static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // The kernel changes the one poller.
        return unsafe poll(&poller, 1, milliseconds) > 0
    }

    /// Runs the body while the signals that end or stop a program wait, so that none leaves the terminal with other settings.
    /// - Parameter body: is given a function that says whether one of them waits.
    private static func withoutSignals(_ body: (_ isInterrupted: () -> Bool) -> Bool) -> Bool {
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]
        var (blocked, before) = (sigset_t(), sigset_t())
        // Each set is initialised before it is used, and lives until the end.
        unsafe sigemptyset(&blocked)
        for signal in signals { unsafe sigaddset(&blocked, signal) }
        guard unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before) == 0 else { return false }
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body {
            var pending = sigset_t()
            guard unsafe sigpending(&pending) == 0 else { return true }
            return signals.contains { unsafe sigismember(&pending, $0) == 1 }
        }
    }
}
