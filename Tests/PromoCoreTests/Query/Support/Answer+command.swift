import PromoCore

extension Responder.Answer {
    /// The command; nil for every other answer.
    var command: Command? {
        if case .command(let command) = self { command } else { nil }
    }
}
