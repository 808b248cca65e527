import PromoWire

/// What stands for an app's picture until it is there: the initials of its name on a tile. promod chooses both.
///
/// It is encoded as in a list, with the colour as CSS writes it.
public struct IconPlaceholder: Hashable, Codable, Sendable {
    /// The initials: a wide letter, one or two others, or `··` for a name without letters.
    public let initials: String
    private let color: RGBColor
    /// The red part of the tile's colour, on which white is legible; 0 to 255.
    public var red: UInt8 { color.red }
    /// The green part of the tile's colour, 0 to 255.
    public var green: UInt8 { color.green }
    /// The blue part of the tile's colour, 0 to 255.
    public var blue: UInt8 { color.blue }

    /// Creates a placeholder, for previews and tests.
    public init(initials: String = "··", red: UInt8 = 95, green: UInt8 = 95, blue: UInt8 = 135) {
        (self.initials, color) = (initials, RGBColor(red, green, blue))
    }

    init(_ placeholder: Placeholder) {
        (initials, color) = (placeholder.initials.shown(), placeholder.color)
    }

    /// The colour of the palette of 256 that is nearest to the tile's: its cube has six levels for each part.
    var paletteColor: Int { 16 + 36 * Self.step(red) + 6 * Self.step(green) + Self.step(blue) }

    private static func step(_ part: UInt8) -> Int { part < 48 ? 0 : part < 115 ? 1 : (Int(part) - 35) / 40 }
}
