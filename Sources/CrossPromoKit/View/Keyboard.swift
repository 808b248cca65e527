import CLinux
import Dispatch
import Glibc
import PromoSystem
import Synchronization

/// The keys of the terminal on standard input, and the changes of its size, until ``end()``.
final class Keyboard: Sendable {
    /// A key, or a change that asks for another drawing.
    enum Key: Equatable, Sendable {
        case up, down, enter, digit(Int), retry, leave, other
    }

    /// The keys; the sequence ends with the input. A change of the size is ``Key/other``.
    let keys: AsyncStream<Key>
    private let interruption = Interruption()
    private let before: termios
    /// The signals that would leave the terminal on the alternate screen.
    private let ends: [Int32]

    /// Readable after a signal that the size has changed; -1 if no descriptor was left.
    private static let resized: Int32 = {
        let descriptor = promod_eventfd()
        // A handler can use nothing but what is there already, and write(2) is safe in it.
        signal(SIGWINCH) { _ in
            var one: UInt64 = 1
            _ = unsafe write(Keyboard.resized, &one, 8)
        }
        return descriptor
    }()

    /// Takes the keys one by one and without an echo, or as whole lines.
    init(isByLine: Bool) {
        var settings = termios()
        // The kernel fills the settings here, and reads them below.
        unsafe tcgetattr(STDIN_FILENO, &settings)
        before = settings
        if !isByLine {
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
            unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
        var ends: [Int32] = []
        for number in isByLine ? [] : [SIGTERM, SIGHUP, SIGINT, SIGQUIT] {
            let other = signal(number) { number in
                let leave: StaticString = "\u{1B}[?25h\u{1B}[?1049l"
                _ = unsafe write(STDOUT_FILENO, leave.utf8Start, leave.utf8CodeUnitCount)
                signal(number, SIG_DFL)
                raise(number)
            }
            // The program handles it.
            if let other { signal(number, other) } else { ends.append(number) }
        }
        self.ends = ends
        let (keys, continuation) = AsyncStream<Key>.makeStream()
        self.keys = keys
        DispatchQueue(label: "CrossPromoKit.keys").async { [interruption] in
            Self.read(interruption) { continuation.yield($0) }
            continuation.finish()
        }
    }

    /// Gives the terminal its settings back.
    func end() {
        interruption.fire()
        for number in ends { signal(number, SIG_DFL) }
        var settings = before
        _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    private static func read(_ interruption: Interruption, _ yield: (Key) -> Void) {
        var parser = KeyParser()
        var buffer = [UInt8](repeating: 0, count: 256)
        let pollers = [STDIN_FILENO, resized].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while let ready = interruption.wait(for: pollers, until: .never) {
            if ready[1] {
                _ = Descriptor.read(from: resized, into: &buffer)
                yield(.other)
            }
            guard ready[0] else { continue }
            let count = Descriptor.read(from: STDIN_FILENO, into: &buffer)
            guard count > 0 else { return }
            for byte in buffer[..<count] {
                if let key = parser.take(byte) { yield(key) }
            }
        }
    }
}

/// Reads a terminal's bytes as keys.
struct KeyParser {
    private enum State {
        case text, escape, sequence
    }

    private var state = State.text

    /// Takes a byte.
    /// - Returns: the key that it completes; nil within a sequence.
    mutating func take(_ byte: UInt8) -> Keyboard.Key? {
        switch state {
        case .text:
            switch byte {
            case 0x1B: state = .escape
            case 0x0A, 0x0D: return .enter
            case UInt8(ascii: "0")...UInt8(ascii: "9"): return .digit(Int(byte - UInt8(ascii: "0")))
            case UInt8(ascii: "r"), UInt8(ascii: "R"): return .retry
            // Also what the keys Control-C and Control-D send.
            case UInt8(ascii: "q"), UInt8(ascii: "Q"), 3, 4: return .leave
            default: return .other
            }
        case .escape:
            // The cursor keys send ESC [ A or, in another mode, ESC O A.
            let isSequence = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O")
            state = isSequence ? .sequence : .text
            // The key Escape was before another one.
            if !isSequence { return take(byte) }
        case .sequence:
            guard 0x40...0x7E ~= byte else { return nil }
            state = .text
            return byte == UInt8(ascii: "A") ? .up : byte == UInt8(ascii: "B") ? .down : .other
        }
        return nil
    }
}
