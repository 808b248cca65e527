import Foundation
import PromoTestSupport
import PromoWire
import Testing

/// The width of text on a terminal.
struct DisplayWidthTests {
    @Test(
        arguments: [
            ("FineBill", 8), ("독서", 4), ("日本語", 6), ("é", 1), ("e\u{301}", 1), ("🍅", 2), ("", 0), ("Ａｱ", 3), ("👩‍👩‍👧‍👦", 2),
            ("🇰🇷", 2), ("1️⃣", 2), ("❤️", 2), ("☺", 1), ("👍🏽", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("\u{1112}\u{D7B0}\u{D7CB}", 2),
            ("\u{200B}", 0), ("क्षि", 3), ("\u{7}", 0), ("a\u{FE0F}", 1), (" \u{FE0F}", 1), ("©", 1), ("©\u{FE0F}", 2),
            ("　", 2),
        ])
    func aTextTakesTheColumnsOfItsCharacters(text: String, columns: Int) {
        #expect(text.displayWidth == columns)
    }

    /// The widths that differ from the reference on purpose.
    private static let exceptions: [ClosedRange<UInt32>: Int] = [
        // The fillers of Hangul are invisible.
        0x115F...0x115F: 0, 0x3164...0x3164: 0, 0xFFA0...0xFFA0: 0,
        // Half a flag, which Unicode calls neutral; two of them are one picture.
        0x1F1E6...0x1F1FF: 2,
        // A mark that has had a width only since Unicode 15.1.
        0x1171E...0x1171E: 1,
    ]

    @Test func everyCharacterTakesTheColumnsOfUnicodesTables() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/widths.py"
        let (end, output, error) = try ChildProcess.run(["/usr/bin/python3", "-I", script])
        try #require(end == .exited(0), "\(error)")
        var scalars = 0
        for line in output.split(separator: "\n") {
            let fields = line.split(separator: " ")
            let first = try #require(UInt32(fields[0]))
            let last = try #require(UInt32(fields[1]))
            let columns = try #require(Int(fields[2]))
            var wrong: [UInt32] = []
            for value in first...last {
                let scalar = try #require(Unicode.Scalar(value))
                let expected = Self.exceptions.first { $0.key.contains(value) }?.value ?? columns
                if String(scalar).displayWidth != expected { wrong.append(value) }
                scalars += 1
            }
            if let from = wrong.first, let to = wrong.last {
                Issue.record(
                    """
                    U+\(String(from, radix: 16))...U+\(String(to, radix: 16)), \(wrong.count) of \(fields[3]) and \
                    East Asian Width \(fields[4]), do not take \(columns)
                    """)
            }
        }
        #expect(scalars > 200_000)
    }
}
