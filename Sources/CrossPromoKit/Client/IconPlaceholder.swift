import PromoWire

/// What stands for an app's picture until it is there: the initials of its name on a tile. promod chooses both.
public struct IconPlaceholder: Hashable, Sendable {
    /// The initials: a wide letter, one or two others, or `··` for a name without letters.
    public let initials: String
    /// The red part of the tile's colour, on which white is legible; 0 to 255.
    public let red: UInt8
    /// The green part of the tile's colour, 0 to 255.
    public let green: UInt8
    /// The blue part of the tile's colour, 0 to 255.
    public let blue: UInt8

    /// Creates a placeholder, for previews and tests.
    public init(initials: String = "··", red: UInt8 = 95, green: UInt8 = 95, blue: UInt8 = 135) {
        (self.initials, self.red, self.green, self.blue) = (initials, red, green, blue)
    }

    init(_ placeholder: Placeholder) {
        let color = placeholder.color
        self.init(initials: placeholder.initials.shown(), red: color.red, green: color.green, blue: color.blue)
    }

    /// The colour of the palette of 256 that is nearest to the tile's: its cube has six levels for each part.
    var paletteColor: Int { 16 + 36 * Self.step(red) + 6 * Self.step(green) + Self.step(blue) }

    private static func step(_ part: UInt8) -> Int { part < 48 ? 0 : part < 115 ? 1 : (Int(part) - 35) / 40 }
}

/// Encoded as in a list, with the colour as CSS writes it.
extension IconPlaceholder: Codable {
    private enum CodingKeys: String, CodingKey { case initials, color }

    /// Decodes a placeholder.
    /// - Throws: `DecodingError`, also for a colour that is not `#` and six hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let text = try values.decode(String.self, forKey: .color)
        guard let color = RGBColor(text) else {
            throw DecodingError.dataCorruptedError(
                forKey: .color, in: values, debugDescription: "\"\(text)\" is not a colour.")
        }
        self.init(
            initials: try values.decode(String.self, forKey: .initials), red: color.red, green: color.green,
            blue: color.blue)
    }

    /// Encodes the placeholder.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(initials, forKey: .initials)
        try values.encode(RGBColor(red, green, blue).text, forKey: .color)
    }
}
