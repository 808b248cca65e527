/// Cuts a stream of bytes into lines ended by LF, and never holds more than one line over its limit.
///
/// CR is left in place, for it is white space in JSON. The caller appends what it read and takes lines until there is none.
package struct LineFramer: Sendable {
    /// What the next bytes of the stream are.
    package enum Event: Equatable, Sendable {
        /// A line without its LF, at most ``LineFramer/maximumLength`` bytes.
        case line([UInt8])
        /// A line over the limit; whatever follows it cannot be framed any more.
        case tooLong
    }

    /// The longest line, in bytes without its LF.
    package let maximumLength: Int

    /// With nothing held, no larger buffer is kept.
    private static let keptCapacity = 4096

    private var bytes: [UInt8] = []
    /// Everything before is taken.
    private var start = 0
    /// Between `start` and here there is no LF, so that a line that arrives in many pieces is searched once.
    private var searched = 0
    private var overflowed = false

    /// A framer for lines of at most `maximumLength` bytes.
    package init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// Whether no bytes of an unfinished or untaken line are held.
    package var isEmpty: Bool { start == bytes.count }

    /// Whether ``next()`` would find nothing, because everything was searched.
    package var isSearched: Bool { overflowed || searched == bytes.count }

    /// Takes the next bytes of the stream.
    package mutating func append(_ chunk: some Sequence<UInt8>) {
        guard !overflowed else { return }
        if start > 0 {
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: chunk)
    }

    /// The next line that is complete, or the news that it is too long; nil until more bytes come.
    package mutating func next() -> Event? {
        guard !overflowed else { return nil }
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = bytes.count
            if isEmpty && bytes.capacity > Self.keptCapacity { reset() }
            return bytes.count - start > maximumLength ? overflow() : nil
        }
        guard end - start <= maximumLength else { return overflow() }
        defer {
            start = end + 1
            searched = start
        }
        return .line(Array(bytes[start..<end]))
    }

    /// The bytes left at the end of the stream, which count as a last line; nil where there are none.
    package mutating func finish() -> Event? {
        guard !overflowed, !isEmpty else { return nil }
        defer { reset() }
        return .line(Array(bytes[start...]))
    }

    private mutating func overflow() -> Event {
        overflowed = true
        reset()
        return .tooLong
    }

    private mutating func reset() {
        bytes = []
        start = 0
        searched = 0
    }
}
