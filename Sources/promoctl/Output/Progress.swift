import CrossPromoKit
import Dispatch
import PromoWire
import Synchronization

/// A line on a terminal that shows what the command waits for and for how long; nothing is printed if there is no terminal.
final class Progress: Sendable {
    /// A shorter wait needs no line, which would erase what stands before it.
    private static let delay = 0.3

    private let what: String
    private let queue = DispatchQueue(label: "promoctl.progress")
    private let isDrawn = Atomic(false)

    private init(what: String) {
        self.what = what
    }

    /// Runs the body, and shows the line until it returns.
    static func during<Result>(_ what: String, _ body: () throws -> Result) rethrows -> Result {
        guard Terminal.standardError.isTerminal else { return try body() }
        let progress = Progress(what: what.printable)
        let timer = progress.start()
        defer {
            timer.cancel()
            progress.end()
        }
        return try body()
    }

    private func start() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let begin = SuspendingClock.now
        timer.schedule(deadline: .now() + Self.delay, repeating: 1)
        timer.setEventHandler {
            let seconds = (SuspendingClock.now - begin).components.seconds
            self.draw(seconds == 0 ? "…" : "… \(seconds) s")
            self.isDrawn.store(true, ordering: .relaxed)
        }
        timer.activate()
        return timer
    }

    private func end() {
        // A drawing that has begun is done first.
        queue.sync {}
        if isDrawn.load(ordering: .relaxed) { Output.prompt("\r\u{1B}[K") }
    }

    /// Draws over the line before, cut to the terminal's current width, because a wrapped line could not be overwritten.
    private func draw(_ state: String) {
        let columns = (Terminal.standardError.columns ?? 80) - state.displayWidth - 1
        let isCut = what.displayWidth > columns
        Output.prompt("\r\(what.truncated(to: columns))\(isCut ? String(state.dropFirst()) : state)\u{1B}[K")
    }
}
