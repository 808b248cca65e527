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
