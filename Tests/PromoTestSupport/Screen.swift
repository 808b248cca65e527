/// What a terminal shows after a program has drawn on it, and the sequences with which it was drawn.
package struct Screen: Sendable {
    /// A piece of text with a link (OSC 8).
    package struct Link: Equatable, Sendable {
        package let text: String
        package let address: String

        /// Creates a link from its text and its address.
        package init(_ text: String, _ address: String) {
            self.text = text
            self.address = address
        }
    }

    /// The lines at the end, without trailing blanks.
    package private(set) var lines: [String] = []
    /// The linked texts, in order.
    package private(set) var links: [Link] = []
    /// The parameters of every change of colour or weight (SGR).
    package private(set) var styles: [String] = []
    /// All other control sequences and characters, of which lists and reports use none.
    package private(set) var others: [String] = []

    private var line: [Unicode.Scalar] = []
    private var cursor = 0
    private var link: (address: String, text: String)?

    /// Interprets what a program wrote to its terminal.
    package init(_ drawn: String) {
        var rest = Substring(drawn).unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1B}" where rest.first == "[": control(&rest)
            case "\u{1B}" where rest.first == "]": operatingSystemCommand(&rest)
            case "\r": cursor = 0
            case "\n": endLine()
            case "\u{00}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                others.append("U+" + String(scalar.value, radix: 16, uppercase: true))
            default: write(scalar)
            }
        }
        if !line.isEmpty { endLine() }
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        link?.text.unicodeScalars.append(scalar)
        if cursor < line.count { line[cursor] = scalar } else { line.append(scalar) }
        cursor += 1
    }

    private mutating func endLine() {
        var text = String(String.UnicodeScalarView(line))
        while text.last == " " { text.removeLast() }
        lines.append(text)
        line = []
        cursor = 0
    }

    private mutating func control(_ rest: inout Substring.UnicodeScalarView) {
        rest.removeFirst()
        let parameters = String(rest.prefix { ("0"..."9").contains($0) || $0 == ";" })
        rest = rest.dropFirst(parameters.unicodeScalars.count)
        switch rest.popFirst() {
        case "m": styles.append(parameters)
        case "K" where parameters.isEmpty: line.removeSubrange(min(cursor, line.count)...)
        case let final: others.append("CSI \(parameters)\(final.map(String.init) ?? "")")
        }
    }

    private mutating func operatingSystemCommand(_ rest: inout Substring.UnicodeScalarView) {
        rest.removeFirst()
        let command = String(rest.prefix { $0 != "\u{1B}" && $0 != "\u{07}" })
        rest = rest.dropFirst(command.unicodeScalars.count)
        if rest.popFirst() == "\u{1B}" { _ = rest.popFirst() }
        guard command.hasPrefix("8;;") else { return others.append("OSC \(command)") }
        if let link { links.append(Link(link.text, link.address)) }
        let address = String(command.dropFirst(3))
        link = address.isEmpty ? nil : (address, "")
    }
}
