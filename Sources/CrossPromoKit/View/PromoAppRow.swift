import FoundationEssentials
package import PromoWire

/// One app as a row of text: icon, name linked to the store, category, tagline.
public struct PromoAppRow: Sendable {
    /// The app that the row shows.
    public let app: PromoApp
    private let language: Language

    /// A row with the tagline in the language of a BCP 47 tag or a POSIX locale.
    public init(app: PromoApp, language: String) {
        self.init(app: app, language: Language(tag: language))
    }

    package init(app: PromoApp, language: Language) {
        self.app = app
        self.language = language
    }

    /// The row alone, in one line or, where there are few columns, in two.
    public func lines(on terminal: Terminal) -> [String] {
        lines(in: RowLayout([app], columns: terminal.columns), on: terminal)
    }

    func lines(in layout: RowLayout, on terminal: Terminal) -> [String] {
        let name = app.name.printable.truncated(to: layout.name)
        let category = app.category.printable.truncated(to: layout.category)
        let tagline = app.tagline.text(in: language).printable
        func blanks(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
        var line = AppIcon(app).draw(on: terminal) + " "
        line += terminal.link(Style.bold.applied(to: name, on: terminal), to: app.storeURL.absoluteString)
        line += blanks(layout.name - name.displayWidth + RowLayout.gap)
        line += Style.label.applied(to: category, on: terminal)
        switch layout.tagline {
        case .beside(let columns):
            line += blanks(layout.category - category.displayWidth + RowLayout.gap)
            return [line + (columns.map(tagline.truncated(to:)) ?? tagline)]
        case .below(let columns):
            return [line, blanks(AppIcon.columns + 1) + tagline.truncated(to: columns)]
        }
    }
}

/// The columns that the rows of a list have in common.
struct RowLayout {
    enum Tagline {
        /// In so many columns; nil for as many as it needs.
        case beside(Int?)
        case below(Int)
    }

    static let gap = 2
    /// With less room than this a tagline has a line of its own.
    private static let narrowestTagline = 20

    let name: Int
    let category: Int
    let tagline: Tagline

    init(_ apps: [PromoApp], columns: Int?) {
        let name = apps.map(\.name.printable.displayWidth).max() ?? 0
        let category = apps.map(\.category.printable.displayWidth).max() ?? 0
        guard let columns else {
            (self.name, self.category, tagline) = (name, category, .beside(nil))
            return
        }
        let start = AppIcon.columns + 1
        self.name = min(name, max(columns / 3, 8))
        let rest = columns - start - self.name - Self.gap
        let beside = min(category, max(columns / 5, 8))
        let room = rest - beside - Self.gap
        (self.category, tagline) =
            room >= Self.narrowestTagline
            ? (beside, .beside(room)) : (min(category, rest), .below(columns - start))
    }
}
