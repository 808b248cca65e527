import FoundationEssentials

/// A picture for a terminal that speaks the kitty graphics protocol.
struct TerminalPicture {
    /// The most bytes of base64 in one control sequence.
    private static let chunk = 4096

    private let base64: [UInt8]

    /// A picture; nil unless the bytes are a PNG that suits a square of two rows.
    init?(_ data: Data) {
        guard PNGHeader(data)?.suitsIcon == true else { return nil }
        base64 = Array(data.base64EncodedString().utf8)
    }

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

/// The size of a PNG picture whose chunks are whole. The protocol takes no other format, and a terminal leaves a gap for a picture that it
/// cannot decode.
struct PNGHeader {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// A few bytes can describe a picture that takes a gigabyte of a terminal's memory.
    private static let maximumSide = 1024
    /// How much longer one side may be than the other, in percent, because a picture is stretched to a square.
    private static let maximumStretch = 25

    /// The size in pixels.
    let (width, height): (Int, Int)

    /// Reads the header, and follows the chunks to the last; nil if the bytes are not a PNG, or if some are missing.
    init?(_ data: some Sequence<UInt8>) {
        let bytes = Array(data)
        func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard bytes.starts(with: Self.signature), bytes.count > 24,
            bytes[12..<16].elementsEqual("IHDR".utf8)
        else { return nil }
        (width, height) = (number(16), number(20))
        var at = Self.signature.count
        // A chunk: its length, its name, its bytes, a checksum.
        while at + 12 <= bytes.count {
            if bytes[at + 4..<at + 8].elementsEqual("IEND".utf8) { return }
            at += 12 + number(at)
        }
        return nil
    }

    /// Whether the picture can be drawn as a square, and is not too large.
    var suitsIcon: Bool {
        let (short, long) = (min(width, height), max(width, height))
        return short > 0 && long <= Self.maximumSide && long * 100 <= short * (100 + Self.maximumStretch)
    }
}
