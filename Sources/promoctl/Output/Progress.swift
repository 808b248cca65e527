import CrossPromoKit
import Dispatch
import Glibc
import PromoProcess
import PromoWire

/// A line on a terminal that shows what the command waits for and for how long; nothing is printed if there is no terminal.
struct Progress {
    private let what: String

    /// Runs the body, and shows the line until it returns.
    static func during<Result>(_ what: String, _ body: () throws -> Result) rethrows -> Result {
        guard Terminal.standardError.isTerminal else { return try body() }
        let progress = Progress(what: what.printable)
        let timer = progress.start()
        defer {
            timer.cancel()
            progress.write("\r\u{1B}[K")
        }
        return try body()
    }

    private func start() -> any DispatchSourceTimer {
        draw("…")
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "promoctl.progress"))
        let begin = SuspendingClock.now
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler {
            let seconds = (SuspendingClock.now - begin).components.seconds
            draw("… \(seconds) s")
        }
        timer.activate()
        return timer
    }

    /// Draws over the line before, cut to the terminal's current width, because a wrapped line could not be overwritten.
    private func draw(_ state: String) {
        let columns = (Terminal.standardError.columns ?? 80) - state.displayWidth - 1
        let isCut = what.displayWidth > columns
        write("\r\(what.truncated(to: columns))\(isCut ? String(state.dropFirst()) : state)\u{1B}[K")
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        Descriptor.write(bytes.span, to: STDERR_FILENO)
    }
}
