import CLinux
import FoundationEssentials
import Glibc
import PromoSystem

extension Terminal {
    /// The same terminal, after it was asked whether it draws pictures by the kitty graphics protocol. That takes up to a second if the
    /// terminal does not reply.
    ///
    /// A terminal is asked only if it has colours, if the environment names one that is known to draw pictures, and by a process in the
    /// foreground.
    public func askedForGraphics() -> Terminal {
        var terminal = self
        terminal.hasGraphics =
            isTerminal && hasColor && Self.mayHaveGraphics(ProcessEnvironment().variables)
            && TerminalDialogue.speaksGraphics()
        return terminal
    }

    /// Whether the environment names a terminal that draws pictures. tmux and screen print the question, and through SSH a reply may be so
    /// late that the shell takes it for input.
    static func mayHaveGraphics(_ environment: [String: String]) -> Bool {
        let kind = environment["TERM"] ?? ""
        let isBetween =
            ["TMUX", "STY", "SSH_CONNECTION"].contains { environment[$0] != nil }
            || ["tmux", "screen"].contains(where: kind.hasPrefix)
        let isNamed =
            ["xterm-kitty", "xterm-ghostty", "wezterm"].contains(kind)
            || ["ghostty", "WezTerm", "WarpTerminal"].contains(environment["TERM_PROGRAM"])
            || ["KITTY_WINDOW_ID", "KONSOLE_VERSION"].contains { environment[$0] != nil }
        return isNamed && !isBetween
    }
}

/// A question to the terminal on standard output.
private enum TerminalDialogue {
    /// How long the terminal has to reply. Those that are asked do reply, and a shell would take a late reply for input.
    private static let patience = Duration.seconds(1)

    static func speaksGraphics() -> Bool {
        // The name is read before another call may overwrite it.
        guard let name = unsafe ttyname(STDOUT_FILENO).map({ unsafe String(cString: $0) }) else { return false }
        let descriptor = FileSystem.open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // A process in the background that changes the terminal is stopped.
        guard tcgetpgrp(descriptor) == getpgrp() else { return false }
        guard promod_take_terminal(descriptor, -1) == 0 else { return false }
        defer { promod_give_terminal_back() }
        return ask(descriptor)
    }

    private static func ask(_ descriptor: Int32) -> Bool {
        let interruption = Interruption()
        func isReadable(until deadline: Deadline) -> Bool {
            let poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return interruption.wait(for: [poller], until: deadline) == [true]
        }
        // Input that a person has typed ahead is for the next program.
        guard !isReadable(until: .after(.zero)) else { return false }
        let question = Array(GraphicsReply.question.utf8)
        guard Descriptor.write(question.span, to: descriptor) == question.count else { return false }
        var reply = GraphicsReply()
        var buffer = [UInt8](repeating: 0, count: 256)
        let deadline = Deadline.after(patience)
        while !reply.isWhole, isReadable(until: deadline) {
            let length = Descriptor.read(from: descriptor, into: &buffer)
            guard length > 0 else { break }
            reply.take(buffer[..<length])
        }
        return reply.speaksGraphics
    }
}

/// Reads a terminal's replies to ``question``.
///
/// A terminal that speaks the kitty graphics protocol replies to both parts of the question; every other one replies only to the
/// second, which all understand, so some reply always comes.
struct GraphicsReply {
    /// May the terminal draw a picture of one pixel, without drawing it (kitty)? Which terminal is it (DA1)?
    ///
    /// Some terminals print the first part, so the cursor is saved before it, and what was printed is erased.
    static let question = "\u{1B}7\u{1B}_Gi=31,s=1,v=1,a=q,f=24;AAAA\u{1B}\\\u{1B}8\u{1B}[J\u{1B}[c"

    /// More bytes than any terminal replies with.
    private static let maximumBytes = 1024
    private static let yes = Array("\u{1B}_Gi=31;OK\u{1B}\\".utf8)
    private static let attributes = Array("\u{1B}[?".utf8)

    private var bytes: [UInt8] = []

    /// Whether the terminal has replied that it speaks the protocol.
    var speaksGraphics: Bool { bytes.indices.contains { bytes[$0...].starts(with: Self.yes) } }

    /// Whether the reply is complete: that to DA1 is whole, or the bytes are not a reply.
    var isWhole: Bool { bytes.count > Self.maximumBytes || bytes.indices.contains(where: areAttributes) }

    /// Takes bytes that the terminal sent.
    mutating func take(_ more: some Sequence<UInt8>) {
        bytes += more
    }

    /// Whether the reply to DA1 begins at an index, and is whole: `ESC [ ? 6 2 ; 4 c`. Replies to other questions end otherwise.
    private func areAttributes(_ index: Int) -> Bool {
        guard bytes[index...].starts(with: Self.attributes) else { return false }
        let end = bytes[(index + Self.attributes.count)...].first { !(0x30...0x3B).contains($0) }
        return end == UInt8(ascii: "c")
    }
}

/// A picture for a terminal that speaks the kitty graphics protocol, which takes no other format than PNG.
struct TerminalPicture {
    /// The most bytes of base64 in one control sequence.
    private static let chunk = 4096

    private let base64: [UInt8]

    /// A picture; nil unless it is a PNG and almost a square, to which it is stretched. promod keeps only whole pictures, and no large ones.
    init?(_ data: Data) {
        let head = Array(data.prefix(24))
        guard head.count == 24, head.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
        let sides = [head[16..<20], head[20..<24]].map { $0.reduce(0) { $0 << 8 | Int($1) } }.sorted()
        guard sides[1] * 4 <= sides[0] * 5 else { return nil }
        base64 = Array(data.base64EncodedString().utf8)
    }

    /// Whether a line has a picture.
    static func isIn(_ line: String) -> Bool { line.contains("\u{1B}_G") }

    /// Removes the pictures from a row of the screen.
    static func erased(fromRow row: Int) -> String { "\u{1B}_Ga=d,d=y,y=\(row),q=2\u{1B}\\" }

    /// Draws the picture at the cursor, over a number of columns and rows, and leaves the cursor behind its first row.
    func draw(columns: Int, rows: Int) -> String {
        // Scrolls first if there are too few rows below.
        var text = String(repeating: "\u{1B}D", count: rows - 1) + "\u{1B}[\(rows - 1)A"
        for start in stride(from: 0, to: base64.count, by: Self.chunk) {
            let part = base64[start...].prefix(Self.chunk)
            let isLast = start + part.count == base64.count
            let head = start == 0 ? "a=T,f=100,t=d,c=\(columns),r=\(rows),C=1,q=2," : "q=2,"
            text += "\u{1B}_G\(head)m=\(isLast ? 0 : 1);\(String(decoding: part, as: UTF8.self))\u{1B}\\"
        }
        // Moves the cursor over the picture, because blanks would erase it.
        return text + "\u{1B}[\(columns)C"
    }
}
