package import PromoWire

extension Placeholder {
    /// The colours of tiles, on which white is legible: those of the palette of 256 that all terminals draw.
    package static let colors = [
        RGBColor(0x00, 0x5F, 0x87), RGBColor(0xAF, 0x5F, 0x00), RGBColor(0x5F, 0x00, 0x87), RGBColor(0x00, 0x87, 0x5F),
        RGBColor(0x87, 0x00, 0x00), RGBColor(0x5F, 0x5F, 0x87), RGBColor(0x87, 0x5F, 0x00), RGBColor(0x00, 0x5F, 0x00),
    ]

    /// The placeholder of the app with a name. Its colour comes from its position in the catalog, so that neighbours differ.
    package init(of name: OutsideText, at position: Int) {
        self.init(initials: Self.initials(of: name.shown()), color: Self.colors[position % Self.colors.count])
    }

    /// A wide letter, or the first letter and the next capital; `··` if there is no letter.
    private static func initials(of name: String) -> String {
        let letters = name.filter { ($0.isLetter || $0.isNumber) && (1...2).contains($0.displayWidth) }
        guard let first = letters.first else { return "··" }
        guard first.displayWidth == 1 else { return String(first) }
        let rest = letters.dropFirst().filter { $0.displayWidth == 1 }
        let second = rest.first { $0.isUppercase || $0.isNumber } ?? rest.first
        // The upper case of a letter may be two letters, as that of "ß" is.
        return first.uppercased().prefix(1) + (second.map(String.init) ?? "")
    }
}
