import CLinux
import Dispatch
import Glibc
import PromoSystem

/// The keys of the terminal on standard input, until ``end()``.
final class Keyboard: Sendable {
    /// A key, or a change that asks for another drawing.
    enum Key: Equatable, Sendable {
        case up, down, pageUp, pageDown, home, end, enter, digit(Int), retry, leave, other
        /// The size has changed, or the terminal is this program's again: nothing of what was drawn is left.
        case redraw
    }

    /// The keys; the sequence ends with the input.
    let keys: AsyncStream<Key>
    private let interruption = Interruption()
    private let isByLine: Bool

    /// Readable if all has to be drawn again.
    private static let redraw = promod_eventfd()
    /// After this time, Escape was a key, and not the beginning of another one's sequence.
    private static let escapePause = Duration.milliseconds(100)

    /// Takes the whole terminal, with keys one by one, or only its lines.
    /// - Returns: nil if the process has taken the terminal already, or has no descriptor left.
    init?(isByLine: Bool) {
        self.isByLine = isByLine
        let (keys, continuation) = AsyncStream<Key>.makeStream()
        self.keys = keys
        guard isByLine || Self.redraw >= 0 && promod_take_terminal(STDIN_FILENO, Self.redraw) == 0 else { return nil }
        DispatchQueue(label: "CrossPromoKit.keys").async { [interruption] in
            Self.read(interruption) { continuation.yield($0) }
            continuation.finish()
        }
    }

    /// Gives the terminal back.
    func end() {
        interruption.fire()
        if !isByLine { promod_give_terminal_back() }
    }

    private static func read(_ interruption: Interruption, _ yield: (Key) -> Void) {
        var parser = KeyParser()
        var buffer = [UInt8](repeating: 0, count: 256)
        let pollers = [STDIN_FILENO, redraw].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while let ready = interruption.wait(for: pollers, until: parser.isEscape ? .after(escapePause) : .never) {
            if ready[1] {
                _ = Descriptor.read(from: redraw, into: &buffer)
                yield(.redraw)
            }
            if ready[0] {
                let count = Descriptor.read(from: STDIN_FILENO, into: &buffer)
                guard count > 0 else { return }
                for byte in buffer[..<count] {
                    if let key = parser.take(byte) { yield(key) }
                }
            } else if !ready[1], parser.isEscape {
                parser = KeyParser()
                yield(.leave)
            }
        }
    }
}

/// Reads a terminal's bytes as keys.
struct KeyParser {
    /// No key sends as many bytes.
    private static let longest = 32

    /// The bytes of a key that is not complete.
    private var bytes: [UInt8] = []

    /// Whether the key is Escape unless more follows.
    var isEscape: Bool { !bytes.isEmpty && bytes.allSatisfy { $0 == 0x1B } }

    /// Takes a byte.
    /// - Returns: the key that it completes; nil within a key.
    mutating func take(_ byte: UInt8) -> Keyboard.Key? {
        bytes.append(byte)
        guard let key = bytes.count < Self.longest ? Self.key(bytes[...]) : .other else { return nil }
        bytes = []
        return key
    }

    private static func key(_ bytes: ArraySlice<UInt8>) -> Keyboard.Key? {
        guard let first = bytes.first else { return nil }
        if first == 0x1B {
            guard let second = bytes.dropFirst().first else { return nil }
            // The cursor keys send ESC [ A or, in another mode, ESC O A.
            let isSequence = second == UInt8(ascii: "[") || second == UInt8(ascii: "O")
            // The key Escape was before another one.
            return isSequence ? sequence(bytes.dropFirst(2)) : key(bytes.dropFirst())
        }
        let length = first < 0xC0 ? 1 : (~first).leadingZeroBitCount
        return bytes.count < length ? nil : character(String(decoding: bytes, as: UTF8.self))
    }

    private static func sequence(_ bytes: ArraySlice<UInt8>) -> Keyboard.Key? {
        guard let last = bytes.last, 0x40...0x7E ~= last else { return nil }
        let number = String(decoding: bytes.prefix { 0x30...0x39 ~= $0 }, as: UTF8.self)
        switch (Unicode.Scalar(last), number) {
        case ("A", _): return .up
        case ("B", _): return .down
        case ("H", _), ("~", "1"), ("~", "7"): return .home
        case ("F", _), ("~", "4"), ("~", "8"): return .end
        case ("~", "5"): return .pageUp
        case ("~", "6"): return .pageDown
        default: return .other
        }
    }

    private static func character(_ text: String) -> Keyboard.Key {
        switch text {
        case "\n", "\r": .enter
        case "0"..."9": Int(text).map { .digit($0) } ?? .other
        // With a Korean input method, these keys send their jamo.
        case "r", "R", "ㄱ", "ㄲ": .retry
        // Also what the keys Control-C and Control-D send.
        case "q", "Q", "ㅂ", "ㅃ", "\u{3}", "\u{4}": .leave
        default: .other
        }
    }
}
