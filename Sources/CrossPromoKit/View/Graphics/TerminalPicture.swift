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

    /// Draws it at the cursor, so many columns and rows large, and leaves the cursor behind its first row.
    func draw(columns: Int, rows: Int) -> String {
        // Scrolls first if there are too few rows below.
        var text = String(repeating: "\u{1B}D", count: rows - 1) + "\u{1B}[\(rows - 1)A"
        for start in stride(from: 0, to: base64.count, by: Self.chunk) {
            let part = base64[start...].prefix(Self.chunk)
            let isLast = start + part.count == base64.count
            let head = start == 0 ? "a=T,f=100,t=d,c=\(columns),r=\(rows),C=1,q=2," : "q=2,"
            text += "\u{1B}_G\(head)m=\(isLast ? 0 : 1);\(String(decoding: part, as: UTF8.self))\u{1B}\\"
        }
        // Moves over the picture instead of writing blanks over it.
        return text + "\u{1B}[\(columns)C"
    }
}
