import Glibc
import PromoProcess
import PromoWire

/// What the place where lines are drawn can do.
public struct Terminal: Equatable, Sendable {
    /// How many columns a line has; nil where that is not limited, as in a pipe or a file.
    public var columns: Int?
    /// Whether colours and bold type are understood and wanted.
    public var hasColor: Bool
    /// Whether links are understood (OSC 8).
    public var hasLinks: Bool

    /// A terminal that can do that much; a plain one where nothing is said.
    public init(columns: Int? = nil, hasColor: Bool = false, hasLinks: Bool = false) {
        self.columns = columns
        self.hasColor = hasColor
        self.hasLinks = hasLinks
    }

    /// This process's standard output.
    public static var standardOutput: Terminal { Terminal(descriptor: STDOUT_FILENO) }

    /// This process's standard error.
    public static var standardError: Terminal { Terminal(descriptor: STDERR_FILENO) }

    /// Whether it is a terminal at all.
    package var isTerminal: Bool { columns != nil }

    private init(descriptor: Int32) {
        guard isatty(descriptor) == 1 else {
            self.init()
            return
        }
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        self.init(
            columns: isKnown ? Int(size.ws_col) : nil, environment: ProcessEnvironment().variables)
    }

    /// What a terminal can do by its environment: `NO_COLOR`, `TERM`, and `COLUMNS` where the kernel does not know the size.
    package init(columns: Int?, environment: [String: String]) {
        let kind = environment["TERM"] ?? ""
        let isSimple = kind.isEmpty || kind == "dumb"
        self.init(
            columns: max(columns ?? environment["COLUMNS"].flatMap(Int.init) ?? 80, Self.narrowest),
            hasColor: !isSimple && (environment["NO_COLOR"] ?? "").isEmpty,
            // These print what they do not understand.
            hasLinks: !isSimple && !["linux", "vt", "eterm"].contains(where: kind.hasPrefix))
    }

    /// In fewer columns nothing can be read, and what is drawn runs over.
    private static let narrowest = 20
}
