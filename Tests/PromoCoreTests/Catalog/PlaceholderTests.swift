import Foundation
import PromoCore
import PromoWire
import Testing

/// What stands for an app's picture.
struct PlaceholderTests {
    @Test(
        arguments: [
            ("FineBill", "FB"), ("bookary", "Bo"), ("Fit Today", "FT"), ("1Password", "1P"), ("Half-Life 2", "HL"),
            ("x", "X"), ("독서 기록", "독"), ("日本", "日"), ("a日b", "Ab"), ("a日", "A"), ("🍅 Pomodoro", "Po"),
            ("e\u{301}te\u{301}", "Ét"), ("  .Net", "Ne"), ("مرحبا", "مر"), ("Ωmega", "Ωm"), ("straße", "St"),
            ("ßig", "Si"), ("ﬁsh", "Fs"),
        ] as [(OutsideText, OutsideText)])
    func theInitialsAreThoseOfTheName(name: OutsideText, initials: OutsideText) {
        // Equal as strings, whatever the form of their marks.
        #expect(Placeholder(of: name, at: 0).initials.text == initials.text)
    }

    @Test(arguments: ["", "!!!", "🍅", "\u{1B}\u{202E}", "…", "\u{301}"] as [OutsideText])
    func aNameWithoutALetterHasDots(name: OutsideText) {
        #expect(Placeholder(of: name, at: 0).initials == "··")
    }

    @Test func aLongNameHasShortInitials() {
        let marks = String(repeating: "\u{301}", count: 100_000)
        for name in ["a" + marks + "b", "日" + marks, String(repeating: "क्षि", count: 100_000)] {
            let initials = Placeholder(of: OutsideText(name), at: 0).initials
            #expect(initials.bytes.count <= 64)
            #expect(initials.text.displayWidth <= 2)
        }
    }

    @Test func neighboursInACatalogDifferInColour() throws {
        let ids = (0..<20).map { "app\($0)" }
        let catalog = try PreparedCatalog.of(ids)
        let colors = ids.compactMap { catalog.app($0)?.placeholder.color }
        for start in 0..<16 { #expect(Set(colors[start..<start + 5]).count == 5) }
    }

    /// The relative luminance of WCAG 2, of which white has 1.
    private func luminance(_ color: RGBColor) -> Double {
        let parts = [color.red, color.green, color.blue].map { part in
            let part = Double(part) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    @Test(arguments: Placeholder.colors + [Placeholder().color])
    func whiteIsLegibleOnEveryColour(color: RGBColor) {
        #expect(1.05 / (luminance(color) + 0.05) >= 4.5)
    }
}
