import FoundationEssentials
import PromoWire

/// The icon of an app on a terminal: its picture if the terminal draws pictures, else its placeholder.
struct AppIcon {
    /// The width of an icon, in columns.
    static let columns = 4
    /// The height of a picture, in rows; a cell is about twice as high as it is wide.
    static let rows = 2

    private let placeholder: IconPlaceholder
    /// The picture, if terminals can draw it.
    private let picture: TerminalPicture?

    init(_ app: PromoApp, picture: Data?) {
        self.picture = picture.flatMap { TerminalPicture($0) }
        placeholder = app.placeholder
    }

    func draw(on terminal: Terminal) -> String {
        if terminal.hasGraphics, let picture {
            return picture.draw(columns: Self.columns, rows: Self.rows)
        }
        let initials = placeholder.initials.printable.fitted(to: 2)
        return terminal.hasColor ? tile.applied(to: " \(initials) ", on: terminal) : "[\(initials)]"
    }

    /// The icon's part on the second row, as high as the pictures of other rows.
    func drawBelow(on terminal: Terminal) -> String {
        guard terminal.hasGraphics else { return String(repeating: " ", count: Self.columns) }
        if picture != nil { return "\u{1B}[\(Self.columns)C" }
        let blanks = String(repeating: " ", count: Self.columns)
        return terminal.hasColor ? tile.applied(to: blanks, on: terminal) : blanks
    }

    private var tile: Style { .tile(placeholder.paletteColor) }
}
