/// The end of a connection on which nothing more is answered.
///
/// Closing a connection while the client still sends would reset it, and the client could lose the last reply. So the write side is
/// shut down when everything is sent, and what still arrives is discarded for a while.
package struct ConnectionEnd: Sendable {
    /// Why it ends.
    package enum Kind: Sendable {
        /// Everything is answered; the connection is closed when all replies are sent.
        case finishing
        /// The client was refused, and may still be sending.
        case lingering
        /// A subscriber fell behind. It has longer to read its last lines, even if the kernel has taken all of them.
        case lagging
    }

    /// During shutdown, a connection idle this long after its last reply is closed.
    static let quietTime: Milliseconds = 100
    /// During shutdown, a connection without a request is closed after this time, in which a first request may still arrive.
    static let firstLineTime: Milliseconds = 1000
    private static let lingerTime: Milliseconds = 2000
    /// The longest time that a client has to read its last lines.
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

    /// Whether to read what still arrives, in order to discard it.
    var wantsInput: Bool { kind != .finishing }

    /// Counts discarded bytes; false if they are too many, and the connection has to be closed.
    mutating func discard(_ count: Int) -> Bool {
        discarded += count
        return discarded <= Self.maximumDiscarded
    }

    /// Sets the deadline; false if the connection has to be closed.
    mutating func settle(isDrained isDrainedNow: Bool, now: Milliseconds) -> Bool {
        if kind == .finishing { return !isDrainedNow }
        if deadline == nil { deadline = now + Self.readTime }
        if isDrainedNow && !isDrained {
            isDrained = true
            // The time begins only now, so that a client that reads slowly does not lose its last line.
            if kind == .lingering { deadline = now + Self.lingerTime }
        }
        return true
    }

    /// Whether to shut down the write side now; true only once.
    mutating func takeShutdown(isDrained: Bool) -> Bool {
        guard kind != .finishing, isDrained, !isShutDown else { return false }
        isShutDown = true
        return true
    }
}
