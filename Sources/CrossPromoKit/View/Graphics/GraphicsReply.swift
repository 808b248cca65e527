/// Reads a terminal's replies to ``question``.
///
/// A terminal that speaks the kitty graphics protocol replies to both parts of the question; every other one replies only to the
/// second, which all understand, so that nobody has to wait for a reply that does not come.
struct GraphicsReply {
    /// May the terminal draw a picture of one pixel, without drawing it (kitty)? Which terminal is it (DA1)?
    ///
    /// Some terminals print the first part, so the cursor is saved before it, and what was printed is erased.
    static let question = "\u{1B}7\u{1B}_Gi=31,s=1,v=1,a=q,f=24;AAAA\u{1B}\\\u{1B}8\u{1B}[J\u{1B}[c"

    /// No terminal replies with more bytes.
    private static let maximumBytes = 1024
    private static let yes = Array("\u{1B}_Gi=31;OK\u{1B}\\".utf8)
    private static let attributes = Array("\u{1B}[?".utf8)

    private var bytes: [UInt8] = []

    /// Whether the terminal has said that it speaks the protocol.
    var speaksGraphics: Bool { bytes.indices.contains { bytes[$0...].starts(with: Self.yes) } }

    /// Whether nothing more is to come: the reply to DA1 is whole, or the bytes are not a reply.
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
