import PromoCore
import PromoWire

extension Answer {
    /// The command; nil for any other answer.
    var command: Command? {
        if case .later(.command(let command)) = self { command } else { nil }
    }
}
