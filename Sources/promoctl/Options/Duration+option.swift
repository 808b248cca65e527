import ArgumentParser
import PromoWire

extension Duration {
    /// Reads the value of an option.
    init(_ text: String, of option: String) throws(ValidationError) {
        guard let duration = Duration(configured: text) else {
            throw ValidationError("\(option) takes \(Self.form), not \"\(text.shortened().printable)\".")
        }
        self = duration
    }
}
