import CrossPromoKit
import Dispatch
import Glibc
import PromoWire

/// A line on a terminal that says what is waited for and how long already; nothing appears anywhere else.
struct Progress {
    private let what: String

    /// Does what takes long, with the line shown meanwhile.
    static func during<Result>(_ what: String, _ body: () throws -> Result) rethrows -> Result {
        guard let columns = Terminal.standardError.columns else { return try body() }
        // Room for the seconds: a line that ran over could not be drawn over.
        let progress = Progress(what: what.printable.truncated(to: columns - 10))
        let timer = progress.start()
        defer {
            timer.cancel()
            progress.write("\r\u{1B}[K")
        }
        return try body()
    }

    private func start() -> any DispatchSourceTimer {
        write("\r\(what)…")
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "promoctl.progress"))
        let begin = SuspendingClock.now
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.setEventHandler {
            let seconds = (SuspendingClock.now - begin).components.seconds
            write("\r\(what)… \(seconds) s")
        }
        timer.activate()
        return timer
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
