import Glibc
import PromoSystem
import PromoWire

/// The capabilities of a terminal, or of a pipe or a file.
public struct Terminal: Equatable, Sendable {
    /// The width of a line, in columns; nil if it is not limited, as in a pipe or a file.
    public var columns: Int?
    /// Whether the terminal understands colours and bold type, and the user wants them.
    public var hasColor: Bool
    /// Whether the terminal understands links (OSC 8).
    public var hasLinks: Bool

    /// Whether the terminal draws pictures by the kitty graphics protocol, which ``askedForGraphics()`` finds out.
    public var hasGraphics: Bool

    /// Creates a terminal with the given capabilities, which are none by default.
    public init(columns: Int? = nil, hasColor: Bool = false, hasLinks: Bool = false, hasGraphics: Bool = false) {
        self.columns = columns
        self.hasColor = hasColor
        self.hasLinks = hasLinks
        self.hasGraphics = hasGraphics
    }

    /// This process's standard output.
    public static var standardOutput: Terminal { Terminal(descriptor: STDOUT_FILENO) }

    /// This process's standard error.
    public static var standardError: Terminal { Terminal(descriptor: STDERR_FILENO) }

    /// The height in lines; nil if it is not known.
    var lines: Int?
    /// Whether the terminal can move its cursor.
    var hasCursor = false

    /// Whether this is a terminal, and not a pipe or a file.
    package var isTerminal: Bool { columns != nil }

    private init(descriptor: Int32) {
        guard isatty(descriptor) == 1 else {
            self.init()
            return
        }
        var size = winsize()
        // For this request, the kernel writes a winsize.
        let isKnown = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        self.init(
            columns: isKnown ? Int(size.ws_col) : nil, environment: ProcessEnvironment().variables)
        lines = isKnown && size.ws_row > 0 ? Int(size.ws_row) : nil
    }

    /// Creates a terminal by the environment: `NO_COLOR`, `TERM`, and `COLUMNS` if the kernel does not know the width.
    package init(columns: Int?, environment: [String: String]) {
        let kind = environment["TERM"] ?? ""
        let isSimple = kind.isEmpty || kind == "dumb"
        self.init(
            columns: max(columns ?? environment["COLUMNS"].flatMap(Int.init) ?? 80, Self.narrowest),
            hasColor: !isSimple && (environment["NO_COLOR"] ?? "").isEmpty,
            // These terminals print the codes of a link.
            hasLinks: !isSimple && !["linux", "vt", "eterm"].contains(where: kind.hasPrefix))
        hasCursor = !isSimple
    }

    /// The narrowest width to draw for. On a terminal that is narrower, lines run over.
    private static let narrowest = 20
}

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
    /// What changes a screen from some lines to others; without lines, whatever is on it goes.
    static func changes(from old: [String], to new: [String]) -> String {
        let changed = (0..<max(old.count, new.count)).filter { row in
            row >= old.count || row >= new.count || old[row] != new[row]
        }
        func place(_ row: Int) -> String { "\u{1B}[\(row + 1);1H" }
        // All old lines go first, because a picture is part of two.
        let erased = changed.map { row in
            let hasPicture = row < old.count && TerminalPicture.isIn(old[row])
            return place(row) + "\u{1B}[2K" + (hasPicture ? TerminalPicture.erased(fromRow: row + 1) : "")
        }
        let drawn = changed.filter { $0 < new.count }.map { place($0) + new[$0] }
        return (old.isEmpty ? ["\u{1B}[2J"] : erased).joined() + drawn.joined()
    }

    /// The text as a link, or plain if the terminal has no links or the address has a character that could end the link.
    package func link(_ text: String, to address: String) -> String {
        guard hasLinks, !text.isEmpty, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return text }
        return "\u{1B}]8;;\(address)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
    }
}
