import PromoWire

/// An app's icon in letters: icons are pictures on the web, and a terminal shows the name's initials on a tile instead.
struct AppIcon {
    /// The columns that an icon takes.
    static let columns = 4

    private let initials: String
    private let color: Int

    init(_ app: PromoApp) {
        initials = Self.initials(of: app.name.printable)
        // FNV-1a, so that an app has the same colour everywhere.
        let hash = app.id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        color = Int(hash % UInt64(Style.tileColors.count))
    }

    func draw(on terminal: Terminal) -> String {
        terminal.hasColor ? Style.tile(color).applied(to: " \(initials) ", on: terminal) : "[\(initials)]"
    }

    /// Two columns: a wide letter, or the first letter and the next capital; a placeholder where the name has no letter.
    private static func initials(of name: String) -> String {
        let letters = Array(name).filter { ($0.isLetter || $0.isNumber) && (1...2).contains(String($0).displayWidth) }
        guard let first = letters.first else { return "··" }
        guard String(first).displayWidth == 1 else { return String(first) }
        let rest = letters.dropFirst().filter { String($0).displayWidth == 1 }
        let second = rest.first { $0.isUppercase || $0.isNumber } ?? rest.first
        // A capital may be more letters than one, as that of "ß" is.
        return (first.uppercased().prefix(1) + (second.map(String.init) ?? "")).fitted(to: 2)
    }
}
