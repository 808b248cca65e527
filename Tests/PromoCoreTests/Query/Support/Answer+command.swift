import PromoCore
import PromoWire

extension Responder.Answer {
    /// The command; nil for any other answer.
    var command: Command? {
        if case .command(let command) = self { command } else { nil }
    }
}
