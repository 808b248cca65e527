import CrossPromoKit
import Foundation
import PromoTestSupport
import Testing

/// The initials at the beginning of a row, in place of an icon.
struct AppIconTests {
    private func row(_ name: String, id: String = "bookary", on terminal: Terminal = Terminal()) throws -> String {
        let app = try PromoApp.sample(id, name: name)
        return try #require(PromoAppRow(app: app, language: "en").lines(on: terminal).first)
    }

    @Test(
        arguments: [
            ("FineBill", "FB"), ("bookary", "Bo"), ("Fit Today", "FT"), ("1Password", "1P"), ("Half-Life 2", "HL"),
            ("x", "X "),
            ("독서 기록", "독"), ("日本", "日"), ("a日b", "Ab"), ("a日", "A "), ("🍅 Pomodoro", "Po"), ("e\u{301}te\u{301}", "Ét"),
            ("  .Net", "Ne"), ("مرحبا", "مر"), ("Ωmega", "Ωm"), ("straße", "St"), ("ßig", "Si"), ("ﬁsh", "Fs"),
        ])
    func anIconIsTheInitialsOfTheName(name: String, initials: String) throws {
        let icon = try row(name).prefix { $0 != "]" }
        #expect(icon == "[\(initials)")
    }

    @Test(arguments: ["", "!!!", "🍅", "\u{1B}\u{202E}", "…", "\u{301}"])
    func aNameWithoutALetterHasAPlaceholder(name: String) throws {
        #expect(try row(name).hasPrefix("[··]"))
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func anIconTakesFourColumns(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let name = Texts.random(10, using: &generator)
        let icon = try row(name).prefix { $0 != "]" } + "]"
        #expect(String(icon).displayWidth == 4, "\(Array(name.unicodeScalars))")
        let coloured = try row(name, on: Terminal(hasColor: true))
        let end = try #require(coloured.range(of: "\u{1B}[0m"))
        #expect(String(coloured[..<end.upperBound]).withoutSequences.displayWidth == 4, "\(Array(name.unicodeScalars))")
    }

    // The FNV-1a hashes, computed by another program, modulo 8, select from 24, 29, 54, 60, 88, 94, 130 and 22.
    @Test(arguments: [
        ("", 94), ("bookary", 130), ("finebill", 88), ("fittoday", 94), ("stedio", 60), ("littory", 130), ("a", 88),
        ("b", 94),
    ])
    func theColourOfATileComesFromTheID(id: String, color: Int) throws {
        let terminal = Terminal(hasColor: true)
        #expect(try row("FineBill", id: id, on: terminal).hasPrefix("\u{1B}[1;97;48;5;\(color)m FB \u{1B}[0m "))
        #expect(try row("Other Name", id: id, on: terminal).hasPrefix("\u{1B}[1;97;48;5;\(color)m ON \u{1B}[0m "))
    }
}
