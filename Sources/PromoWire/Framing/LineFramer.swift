/// Splits a stream of bytes into lines that end with LF.
///
/// CR stays in the line, because it is white space in JSON. After each append, the caller takes lines until ``next()`` returns nil;
/// then at most one unfinished line is buffered.
package struct LineFramer: Sendable {
    /// The result of ``LineFramer/next()``.
    package enum Event: Equatable, Sendable {
        /// A line without its LF, at most ``LineFramer/maximumLength`` bytes.
        case line([UInt8])
        /// A line over the limit. The framer ignores everything after it.
        case tooLong
    }

    /// The maximum length of a line, in bytes without its LF.
    package let maximumLength: Int

    /// The capacity of the largest buffer that an empty framer keeps, in bytes.
    private static let keptCapacity = 4096

    private var bytes: [UInt8] = []
    /// The start of the first line that was not taken yet.
    private var start = 0
    /// There is no LF between `start` and here, so a line that arrives in many pieces is searched only once.
    private var searched = 0
    private var overflowed = false

    /// Creates a framer for lines of at most `maximumLength` bytes.
    package init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    /// Whether no bytes are buffered.
    package var isEmpty: Bool { start == bytes.count }

    /// Whether ``next()`` would return nil, because all bytes have been searched.
    package var isSearched: Bool { overflowed || searched == bytes.count }

    /// Appends the next bytes of the stream.
    package mutating func append(_ chunk: Span<UInt8>) {
        guard !overflowed else { return }
        if start > 0 {
            bytes.removeSubrange(..<start)
            searched -= start
            start = 0
        }
        bytes.append(copying: chunk)
    }

    /// Takes the next complete line, or reports that it is too long; nil if more bytes are needed.
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

    /// Takes the bytes left at the end of the stream, which count as a last line; nil if there are none.
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
