/// How a connection ends, once nothing more is answered on it.
///
/// Closing at once while a client still sends would reset the connection, and it could lose the last reply. So the write side is
/// shut down when everything has gone out, and what still comes is discarded for a while.
package struct ConnectionEnd: Sendable {
    /// Why it ends.
    package enum Kind: Sendable {
        /// Everything is answered, and the client sends no more: it is closed when what is written has gone out.
        case finishing
        /// The client was turned away, and may still be sending.
        case lingering
        /// A subscriber fell behind, and has longer to read what it was sent, also once the kernel has it.
        case lagging
    }

    /// At a stop, a client that was answered and sends nothing for so long is done.
    static let quietTime: Milliseconds = 100
    /// At a stop, a client that was never answered has so long to ask: a request may be on its way.
    static let firstLineTime: Milliseconds = 1000
    private static let lingerTime: Milliseconds = 2000
    /// How long a client has to take its last lines at all.
    private static let readTime: Milliseconds = 60_000
    private static let maximumDiscarded = 16 * 1024 * 1024

    private let kind: Kind
    private(set) var deadline: Milliseconds?
    private var discarded = 0
    private var isDrained = false
    private var isShutDown = false

    init(_ kind: Kind) {
        self.kind = kind
    }

    /// Whether what still comes is to be read, and thrown away.
    var wantsInput: Bool { kind != .finishing }

    /// Counts what was thrown away; false if it is too much, and the connection is to be closed.
    mutating func discard(_ count: Int) -> Bool {
        discarded += count
        return discarded <= Self.maximumDiscarded
    }

    /// Sets the deadline; false if the connection is to be closed.
    mutating func settle(isDrained isDrainedNow: Bool, now: Milliseconds) -> Bool {
        if kind == .finishing { return !isDrainedNow }
        if deadline == nil { deadline = now + Self.readTime }
        if isDrainedNow && !isDrained {
            isDrained = true
            // From now on, for a client that reads slowly must not lose what it was sent last.
            if kind == .lingering { deadline = now + Self.lingerTime }
        }
        return true
    }

    /// Whether the write side is to be shut down now; once.
    mutating func takeShutdown(isDrained: Bool) -> Bool {
        guard kind != .finishing, isDrained, !isShutDown else { return false }
        isShutDown = true
        return true
    }
}
