/// The style of a piece of text on a terminal.
package enum Style: Sendable {
    case plain, bold, dim, label, warning, good, bad
    /// Bold white on a colour of the palette of 256.
    case tile(Int)

    private var parameters: String? {
        switch self {
        case .plain: nil
        case .bold: "1"
        case .dim: "2"
        case .label: "36"
        case .warning: "33"
        case .good: "32"
        case .bad: "31"
        case .tile(let color): "1;97;48;5;\(color)"
        }
    }

    /// The text in this style, or plain if the terminal has no colours.
    package func applied(to text: String, on terminal: Terminal) -> String {
        guard terminal.hasColor, !text.isEmpty, let parameters else { return text }
        return "\u{1B}[\(parameters)m\(text)\u{1B}[0m"
    }
}

extension Terminal {
    /// The text as a link, or plain if the terminal has no links or the address has a character that could end the link.
    package func link(_ text: String, to address: String) -> String {
        guard hasLinks, !text.isEmpty, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return text }
        return "\u{1B}]8;;\(address)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
    }
}
