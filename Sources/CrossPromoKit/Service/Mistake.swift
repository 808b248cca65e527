import Glibc
import PromoSystem
import PromoWire

/// A mistake of the host app's developer, who is told once in the life of the process, on standard error; people are not.
struct Mistake: Hashable {
    private struct State {
        var told: Set<Mistake> = []
        /// Those that wait until a view no longer draws on the terminal.
        var waiting: [Mistake]?
    }

    private static let state = Guarded(State())

    let text: String

    /// The app has an id that its catalog does not have; nil if it has it.
    init?(host: String?, of list: PromoList) {
        guard let host, list.isHostKnown == false else { return nil }
        let meant = nearestWord(to: host, among: list.apps.map(\.id), within: 3)
        text =
            "The catalog has no app \"\(host.elided(to: 64))\", and no rule for it, so it is shown every app."
            + (meant.map { " Did you mean \"\($0)\"?" } ?? "")
    }

    /// An error that only the developer can end; nil for another one.
    init?(_ error: PromoError?) {
        guard let error, error.isMistake || error.code == .notConfigured else { return nil }
        text = error.message
    }

    /// A call without what it needs.
    init(_ text: String) { self.text = text }

    /// Tells it, unless that was done.
    func tell() {
        Self.state.withLock { state in
            guard state.told.insert(self).inserted else { return }
            if state.waiting?.append(self) == nil { write() }
        }
    }

    private func write() {
        _ = Descriptor.writeAll(Array("CrossPromoKit: \(text.printable)\n".utf8), to: STDERR_FILENO)
    }

    /// Keeps them until ``release()``.
    static func hold() {
        state.withLock { $0.waiting = [] }
    }

    /// Tells those that were kept, and the next ones at once.
    static func release() {
        state.withLock { state in
            for mistake in state.waiting.take() ?? [] { mistake.write() }
        }
    }
}
