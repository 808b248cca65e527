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
        var (scalars, wrong) = (0, [String]())
        for line in output.split(separator: "\n") {
            let numbers = line.split(separator: " ").prefix(3).compactMap { UInt32($0) }
            for scalar in (numbers[0]...numbers[1]).compactMap(Unicode.Scalar.init) {
                let columns = Self.exceptions.first { $0.key.contains(scalar.value) }?.value ?? Int(numbers[2])
                if String(scalar).displayWidth != columns {
                    wrong.append("U+\(String(scalar.value, radix: 16)): \(columns)")
                }
                scalars += 1
            }
        }
        #expect(wrong == [], "each with the columns that it has to take")
        #expect(scalars > 200_000)
    }
}
