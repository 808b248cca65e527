import CrossPromoKit
import PromoWire

extension String {
    /// The text as lines of at most the given width, each indented by some blanks. A nil width is no limit.
    func indented(by count: Int, in columns: Int?) -> [String] {
        wrapped(to: columns.map { $0 - count }).map { String(repeating: " ", count: count) + $0 }
    }

    /// The text as lines of at most the given width; all but the first are indented two blanks more than that.
    func hanging(in columns: Int) -> [String] {
        let indent = String(prefix { $0 == " " })
        let lines = wrapped(to: columns - indent.count - 2)
        return lines.enumerated().map { number, line in indent + (number == 0 ? "" : "  ") + line }
    }
}
