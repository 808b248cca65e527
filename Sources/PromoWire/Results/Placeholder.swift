/// What stands for an app's picture until it is there: the initials of its name on a tile.
package struct Placeholder: JSONObject, Equatable {
    package var initials: OutsideText = "··"
    package var color = RGBColor(0x5F, 0x5F, 0x87)

    mutating func visitMembers(_ member: inout MemberVisitor) {
        member("initials", &initials, "a wide letter, one or two others, or \"··\" for a name without letters")
        member("color", &color, "the tile's colour, as CSS writes it, on which white is legible")
    }

    /// The placeholder of an app from an older promod.
    package init() {}

    /// Creates a placeholder from its parts.
    package init(initials: String, color: RGBColor) {
        (self.initials, self.color) = (OutsideText(initials), color)
    }
}

/// A colour, written as `#` and six hexadecimal digits.
package struct RGBColor: Hashable, RawRepresentable, Codable, JSONRepresentable {
    package let red, green, blue: UInt8

    /// Creates a colour from its parts.
    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Reads a colour as it is written.
    package init?(rawValue: String) {
        guard let number = Int(rawValue.dropFirst(), radix: 16) else { return nil }
        let parts = [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        self.init(parts[0], parts[1], parts[2])
        guard self.rawValue == rawValue else { return nil }
    }

    /// The colour as it is written.
    package var rawValue: String {
        let number = 1 << 24 | Int(red) << 16 | Int(green) << 8 | Int(blue)
        return "#" + String(number, radix: 16).dropFirst()
    }

    package static var schema: ValueSchema { .pattern("^#[0-9a-f]{6}$", words: "a colour", example: "#005f87") }
    package func write(to writer: inout JSONWriter) { rawValue.write(to: &writer) }
    package static func read(_ json: JSONValue?) -> RGBColor? { json?.ascii(upTo: 7).flatMap(RGBColor.init(rawValue:)) }
}
