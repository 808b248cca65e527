@testable import CrossPromoKit
import Foundation
import PromoTestSupport
import Testing

/// Pictures on terminals that speak the kitty graphics protocol.
struct GraphicsTests {
    private static let attributes = "\u{1B}[?62;4c"
    private static let yes = "\u{1B}_Gi=31;OK\u{1B}\\"

    private static let replies = [
        ("\(yes)\(attributes)", true), (attributes, false), ("\u{1B}_Gi=31;ENOTSUP:no\u{1B}\\\(attributes)", false),
        ("typed ahead\(yes)more\(attributes)", true), ("\u{1B}[?1c", false),
        (String(repeating: "x", count: 2000), false),
        // Replies to questions of another program.
        ("\u{1B}[?2026;2$y\u{1B}[?0u\(yes)\(attributes)", true), ("\u{1B}[?6\u{1B}[A\(attributes)", false),
    ]

    @Test(arguments: replies)
    func aTerminalThatSpeaksItSaysSoBeforeItsAttributes(reply: String, speaks: Bool) {
        // All at once, and byte by byte.
        var whole = GraphicsReply()
        whole.take(Array(reply.utf8))
        #expect(whole.isWhole)
        #expect(whole.speaksGraphics == speaks)
        var parts = GraphicsReply()
        for byte in reply.utf8 where !parts.isWhole { parts.take([byte]) }
        #expect(parts.isWhole)
        #expect(parts.speaksGraphics == speaks)
    }

    @Test(arguments: ["", "\u{1B}[?62;4", "\u{1B}_Gi=31;OK\u{1B}\\", "q", "\u{1B}[?0u"])
    func aReplyThatIsNotWholeIsWaitedFor(reply: String) {
        var open = GraphicsReply()
        open.take(Array(reply.utf8))
        #expect(!open.isWhole)
    }

    // MARK: Pictures

    /// A PNG of a size, with bytes of some other kind in between.
    private static func png(_ width: Int = 64, _ height: Int = 64, padding: Int = 0) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
        func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
            number(bytes.count) + Array(name.utf8) + bytes + number(0)
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", number(width) + number(height) + [8, 6, 0, 0, 0])
            + chunk("IDAT", [UInt8](repeating: 7, count: padding)) + chunk("IEND", [])
    }

    private func file(_ bytes: [UInt8], in scratch: ScratchDirectory) throws -> URL {
        let file = URL(filePath: scratch("icon"))
        try Data(bytes).write(to: file)
        return file
    }

    @Test func aPictureIsSentInPartsAndLeavesTheCursorWhereItIs() throws {
        let bytes = Self.png(padding: 10_000)
        let drawn = try #require(TerminalPicture(Data(bytes))).draw(columns: 4, rows: 2)
        let parts = drawn.components(separatedBy: "\u{1B}_G").dropFirst()
        #expect(parts.count == 4)
        #expect(parts.first?.hasPrefix("a=T,f=100,t=d,c=4,r=2,C=1,q=2,m=1;") == true)
        #expect(parts.last?.hasPrefix("q=2,m=0;") == true)
        let data = parts.map { $0.drop { $0 != ";" }.dropFirst().prefix { $0 != "\u{1B}" } }.joined()
        #expect(Data(base64Encoded: data) == Data(bytes))
        #expect(drawn.hasPrefix("\u{1B}D\u{1B}[1A"))
    }

    private static let undrawn: [[UInt8]] = [
        [], Array("<svg/>".utf8), [0xFF, 0xD8, 0xFF], png(padding: 600_000), Array(png().prefix(8)), png(400, 100),
        png(64, 81),
    ]

    @Test(arguments: undrawn)
    func whatIsNoPNGOrNoSquareIsNotDrawn(bytes: [UInt8]) throws {
        let scratch = try ScratchDirectory()
        // A file that is longer than any that promod writes is not read, and a picture of that size is not drawn.
        #expect(PictureFile.read(try file(bytes, in: scratch)).flatMap { TerminalPicture($0) } == nil)
        #expect(PictureFile.read(URL(filePath: scratch("none"))) == nil)
        #expect(PictureFile.read(URL(filePath: scratch("."))) == nil)
    }

    @Test func aRowHasThePictureOnlyWhereTheTerminalDrawsPictures() throws {
        let scratch = try ScratchDirectory()
        let row = PromoAppRow(app: try .sample(iconFile: try file(Self.png(), in: scratch)), language: "en")
        let wide = Terminal(columns: 100)
        #expect(row.lines(on: wide).first?.hasPrefix("[Bo]") == true)
        var graphic = wide
        graphic.hasGraphics = true
        #expect(row.lines(on: graphic).first?.contains("\u{1B}_Ga=T") == true)
        // A picture is two rows high, and its second row is skipped, not overwritten.
        let without = PromoAppRow(app: try .sample(), language: "en").lines(on: graphic)
        #expect(without.first?.hasPrefix("[Bo]") == true)
        #expect(row.lines(on: graphic).count == 2)
        #expect(without.count == 2)
        #expect(row.lines(on: graphic).last?.contains("\u{1B}[4C") == true)
        #expect(without.last?.contains("\u{1B}[4C") == false)
    }
}
