import FoundationEssentials

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
