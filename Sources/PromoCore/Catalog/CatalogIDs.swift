import PromoWire

/// The ids that a catalog's apps are written with, those of broken apps included, and the one that a wrong id was meant to be.
struct CatalogIDs {
    /// Longer words are not compared with ids.
    private static let maximumLength = 64

    private let written: [String]
    private let known: Set<String>
    private var byLength: [Int: [String]]?
    /// What is left for comparisons, in pairs of letters: a hostile catalog may hold a million ids and as many rules.
    private var budget = 1 << 25

    init(of apps: JSONValue?) {
        written = apps.map { $0.elements.compactMap { $0["id"]?.string } } ?? []
        known = Set(written)
    }

    func contains(_ id: String) -> Bool {
        known.contains(id)
    }

    /// The id that a word is a slip of, if it is near one; where letters are small or capital does not count.
    mutating func nearest(to word: String) -> String? {
        let word = word.shortened(to: Self.maximumLength + 1).lowercased()
        let length = word.utf8.count
        guard budget > 0, 1...Self.maximumLength ~= length else { return nil }
        let tolerance = CatalogName.tolerance(length)
        let candidates = candidates(length - tolerance...length + tolerance)
        budget -= candidates.reduce(0) { $0 + ($1.utf8.count + 1) * length }
        return budget > 0 ? nearestWord(to: word, among: candidates, within: tolerance) : nil
    }

    /// The ids of some lengths.
    private mutating func candidates(_ lengths: ClosedRange<Int>) -> [String] {
        let ids = byLength ?? Dictionary(grouping: written, by: \.utf8.count)
        byLength = ids
        return lengths.flatMap { ids[$0] ?? [] }
    }
}
