import PromoWire

/// The icon of an app on a terminal, which shows the name's initials on a tile instead of the picture.
struct AppIcon {
    /// The width of an icon, in columns.
    static let columns = 4

    private let initials: String
    private let color: Int

    init(_ app: PromoApp) {
        initials = Self.initials(of: app.name.printable)
        // FNV-1a, so that an app has the same colour in every process.
        let hash = app.id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        color = Int(hash % UInt64(Style.tileColors.count))
    }

    func draw(on terminal: Terminal) -> String {
        terminal.hasColor ? Style.tile(color).applied(to: " \(initials) ", on: terminal) : "[\(initials)]"
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
