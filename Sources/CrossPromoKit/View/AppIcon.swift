import FoundationEssentials
import PromoWire

/// The icon of an app on a terminal: its picture where the terminal draws pictures, else the name's initials on a tile.
struct AppIcon {
    /// The width of an icon, in columns.
    static let columns = 4
    /// The height of a picture, in rows; a cell is about twice as high as it is wide.
    static let rows = 2

    private let initials: String
    private let color: Int
    /// The picture, if terminals can draw it.
    private let picture: TerminalPicture?

    /// - Parameter hasPicture: whether the picture is read, if there is one.
    init(_ app: PromoApp, hasPicture: Bool) {
        picture = hasPicture ? app.iconFile.flatMap { TerminalPicture($0) } : nil
        initials = Self.initials(of: app.name.printable)
        // FNV-1a, so that an app has the same colour in every process.
        let hash = app.id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        color = Int(hash % UInt64(Style.tileColors.count))
    }

    func draw(on terminal: Terminal) -> String {
        if terminal.hasGraphics, let picture {
            return picture.draw(columns: Self.columns, rows: Self.rows)
        }
        return terminal.hasColor ? Style.tile(color).applied(to: " \(initials) ", on: terminal) : "[\(initials)]"
    }

    /// What the icon has on the row below the first: the rest of its tile, as high as the pictures beside it.
    func drawBelow(on terminal: Terminal) -> String {
        guard terminal.hasGraphics else { return String(repeating: " ", count: Self.columns) }
        if picture != nil { return "\u{1B}[\(Self.columns)C" }
        let blanks = String(repeating: " ", count: Self.columns)
        return terminal.hasColor ? Style.tile(color).applied(to: blanks, on: terminal) : blanks
    }

    /// The initials, two columns wide: a wide letter, or the first letter and the next capital; a placeholder if there is no letter.
    private static func initials(of name: String) -> String {
        let letters = Array(name).filter { ($0.isLetter || $0.isNumber) && (1...2).contains(String($0).displayWidth) }
        guard let first = letters.first else { return "··" }
        guard String(first).displayWidth == 1 else { return String(first) }
        let rest = letters.dropFirst().filter { String($0).displayWidth == 1 }
        let second = rest.first { $0.isUppercase || $0.isNumber } ?? rest.first
        // The upper case of a letter may be two letters, as that of "ß" is.
        return (first.uppercased().prefix(1) + (second.map(String.init) ?? "")).fitted(to: 2)
    }
}
