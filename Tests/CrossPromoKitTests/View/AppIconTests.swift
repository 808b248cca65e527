import CrossPromoKit
import Foundation
import PromoTestSupport
import PromoWire
import Testing

/// The initials at the beginning of a row, in place of an icon.
struct AppIconTests {
    private func row(_ placeholder: IconPlaceholder, on terminal: Terminal = Terminal()) throws -> String {
        let app = try PromoApp.sample("bookary", placeholder: placeholder)
        return try #require(PromoAppRow(app: app, language: "en").lines(on: terminal).first)
    }

    @Test(arguments: [("FB", "[FB]"), ("독", "[독]"), ("X", "[X ]"), ("", "[  ]"), ("ABC", "[A…]"), ("\u{1B}", "[␛ ]")])
    func anIconHasTheInitials(initials: String, icon: String) throws {
        #expect(try row(IconPlaceholder(initials: initials)).hasPrefix(icon + " "))
    }

    @Test(arguments: 0..<300 as Range<UInt64>)
    func anIconTakesFourColumns(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let placeholder = IconPlaceholder(initials: Texts.random(10, using: &generator).replacing("]", with: ""))
        let icon = try row(placeholder).prefix { $0 != "]" } + "]"
        #expect(String(icon).displayWidth == 4, "\(Array(placeholder.initials.unicodeScalars))")
        let coloured = try row(placeholder, on: Terminal(hasColor: true))
        let end = try #require(coloured.range(of: "\u{1B}[0m"))
        #expect(String(coloured[..<end.upperBound]).withoutSequences.displayWidth == 4)
    }

    /// The palette's cube has the levels 0, 95, 135, 175, 215 and 255.
    @Test(
        arguments: [
            (0, 95, 135, 24), (175, 95, 0, 130), (95, 0, 135, 54), (0, 135, 95, 29), (135, 0, 0, 88), (95, 95, 135, 60),
            (135, 95, 0, 94), (0, 95, 0, 22), (0, 0, 0, 16), (255, 255, 255, 231), (250, 100, 30, 202),
            (60, 60, 60, 59),
        ] as [(UInt8, UInt8, UInt8, Int)])
    func aTileHasTheNearestColourOfThePalette(red: UInt8, green: UInt8, blue: UInt8, color: Int) throws {
        let placeholder = IconPlaceholder(initials: "FB", red: red, green: green, blue: blue)
        let row = try row(placeholder, on: Terminal(hasColor: true))
        #expect(row.hasPrefix("\u{1B}[1;97;48;5;\(color)m FB \u{1B}[0m "))
    }
}
