import PromoWire

/// What stands for an app's picture until it is there: the initials of the name on a tile in the app's colour.
public struct IconPlaceholder: Hashable, Sendable {
    /// The initials: a wide letter, one or two others, or `··` for a name without letters.
    public let initials: String
    /// The red part of the tile's colour, on which white is legible; 0 to 255.
    public var red: UInt8 { Self.level(cell / 36) }
    /// The green part of the tile's colour, 0 to 255.
    public var green: UInt8 { Self.level(cell / 6 % 6) }
    /// The blue part of the tile's colour, 0 to 255.
    public var blue: UInt8 { Self.level(cell % 6) }

    /// The tile's colour in the palette of 256 colours that terminals have.
    let paletteColor: Int

    /// Colours of the palette on which bold white is legible.
    private static let paletteColors = [24, 29, 54, 60, 88, 94, 130, 22]

    init(name: String, id: String) {
        initials = Self.initials(of: name.printable)
        // FNV-1a, so that an app has the same colour in every process.
        let hash = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        paletteColor = Self.paletteColors[Int(hash % UInt64(Self.paletteColors.count))]
    }

    /// The colour's place in the palette's cube of six levels for each part.
    private var cell: Int { paletteColor - 16 }

    private static func level(_ step: Int) -> UInt8 { step == 0 ? 0 : UInt8(55 + 40 * step) }

    /// A wide letter, or the first letter and the next capital; `··` if there is no letter.
    private static func initials(of name: String) -> String {
        let letters = Array(name).filter { ($0.isLetter || $0.isNumber) && (1...2).contains(String($0).displayWidth) }
        guard let first = letters.first else { return "··" }
        guard String(first).displayWidth == 1 else { return String(first) }
        let rest = letters.dropFirst().filter { String($0).displayWidth == 1 }
        let second = rest.first { $0.isUppercase || $0.isNumber } ?? rest.first
        // The upper case of a letter may be two letters, as that of "ß" is.
        return (first.uppercased().prefix(1) + (second.map(String.init) ?? "")).truncated(to: 2)
    }
}

extension PromoApp {
    /// What stands for the app's picture until it is there.
    public var placeholder: IconPlaceholder { IconPlaceholder(name: name, id: id) }
}
