package import FoundationEssentials
package import PromoWire

/// An app as a row of text: its icon, its name with a link to the store, its category and its tagline.
public struct PromoAppRow: Sendable {
    /// The app that the row shows.
    public let app: PromoApp
    let texts: RowTexts
    private let picture: Data?

    /// Creates a row with its texts in the language of a BCP 47 tag or a POSIX locale; nil for the process's language.
    public init(app: PromoApp, language: String? = nil) {
        let language = language.map { Language(tag: $0) } ?? .ofProcess
        self.init(app: app, picture: PictureFile.read(app.iconFile), language: language)
    }

    package init(app: PromoApp, picture: Data?, language: Language) {
        self.app = app
        self.picture = picture
        texts = RowTexts(app, in: language)
    }

    /// The row by itself: one line, or two if the terminal is narrow.
    public func lines(on terminal: Terminal) -> [String] {
        lines(in: RowLayout([texts], on: terminal), on: terminal)
    }

    func lines(in layout: RowLayout, on terminal: Terminal) -> [String] {
        let name = layout.cut(texts.name, to: layout.name)
        let category = layout.cut(texts.category, to: layout.category)
        func blanks(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
        let icon = AppIcon(app, picture: terminal.hasGraphics ? picture : nil)
        var line = icon.draw(on: terminal) + " "
        line += terminal.link(Style.bold.applied(to: name, on: terminal), to: app.storeURL.absoluteString)
        line += blanks(layout.name - name.displayWidth) + blanks(RowLayout.gap)
        let id = layout.id.map { width in
            let id = layout.cut(texts.id, to: width)
            return Style.dim.applied(to: id, on: terminal) + blanks(width - id.displayWidth + RowLayout.gap)
        }
        let label = Style.label.applied(to: category, on: terminal)
        let text = layout.tagline.map(texts.tagline.truncated(to:)) ?? texts.tagline
        guard layout.isTaglineBeside else {
            return [line + label, icon.drawBelow(on: terminal) + " " + (id ?? "") + text]
        }
        let gap = blanks(layout.category - category.displayWidth) + blanks(RowLayout.gap)
        return [line + (id ?? "") + label + gap + text]
    }
}

/// The texts of a row. Whoever sent them, they cannot control a terminal.
struct RowTexts {
    let id: String
    let name: String
    let category: String
    let tagline: String

    init(_ app: PromoApp, in language: Language) {
        id = app.id.printable
        name = app.name.printable
        category = app.localizedCategory.text(in: language).printable
        tagline = app.tagline.text(in: language).printable
    }
}

/// The widths of the columns in the rows of a list.
struct RowLayout {
    static let gap = 2
    /// A tagline with less room than this, in columns, has a line of its own.
    private static let narrowestTagline = 20
    /// If taglines would be cut to less room than this, in columns, the ids are omitted, which few people need.
    private static let narrowestTaglineWithID = 40
    /// If the width of lines is not limited, a text wider than this, in columns, is neither cut nor used to pad other rows.
    private static let widestColumn = 40

    let name: Int
    /// nil if there is no column for the ids.
    let id: Int?
    let category: Int
    /// Whether the tagline is on the line of the name, and not on a line of its own.
    let isTaglineBeside: Bool
    /// nil if the width of lines is not limited.
    let tagline: Int?
    /// The lines of each row.
    var height: Int { isTaglineBeside ? 1 : 2 }

    init(_ texts: [RowTexts], showsIDs: Bool = false, on terminal: Terminal) {
        let names = texts.map(\.name.displayWidth)
        let categories = texts.map(\.category.displayWidth)
        guard let columns = terminal.columns else {
            (name, category) = (Self.widest(of: names), Self.widest(of: categories))
            id = nil
            (isTaglineBeside, tagline) = (!terminal.hasGraphics, nil)
            return
        }
        let start = AppIcon.columns + 1
        let category = categories.max() ?? 0
        name = min(names.max() ?? 0, max(columns / 3, 8))
        let rest = columns - start - name - Self.gap
        let beside = min(category, max(columns / 5, 8))
        let (room, below) = (rest - beside - Self.gap, columns - start)
        // A picture is two rows high, so the tagline goes to the second row.
        func isBeside(_ room: Int) -> Bool { room >= Self.narrowestTagline && !terminal.hasGraphics }
        let idWidth = min(texts.map(\.id.displayWidth).max() ?? 0, below - Self.gap) + Self.gap
        func hasRoom() -> Bool {
            let taglines = texts.map(\.tagline.displayWidth)
            return (isBeside(room) ? room : below) - idWidth >= min(taglines.max() ?? 0, Self.narrowestTaglineWithID)
        }
        let taken = showsIDs && hasRoom() ? idWidth : 0
        id = taken > 0 ? taken - Self.gap : nil
        isTaglineBeside = isBeside(room - taken)
        self.category = isTaglineBeside ? beside : min(category, rest)
        tagline = (isTaglineBeside ? room : below) - taken
    }

    /// The text, cut to a column's width if the width of lines is limited.
    func cut(_ text: String, to width: Int) -> String {
        tagline == nil ? text : text.truncated(to: width)
    }

    private static func widest(of widths: [Int]) -> Int {
        widths.filter { $0 <= widestColumn }.max() ?? 0
    }
}
