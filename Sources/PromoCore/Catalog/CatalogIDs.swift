import PromoWire

/// The ids of a catalog's apps, including those of broken apps, and a search for the one that a wrong id was meant to be.
struct CatalogIDs {
    /// Longer words are not compared with ids.
    private static let maximumLength = 64

    private let written: [String]
    private let known: Set<String>
    private var byLength: [Int: [String]]?
    /// The number of pairs of letters that may still be compared: a hostile catalog may have a million ids and as many rules.
    private var budget = 1 << 25

    init(of apps: JSONValue?) {
        written = apps.map { $0.elements.compactMap { $0["id"]?.string } } ?? []
        known = Set(written)
    }

    func contains(_ id: String) -> Bool {
        known.contains(id)
    }

    /// The id that a word was probably meant to be, ignoring case; nil if the word is not similar to any.
    mutating func nearest(to word: String) -> String? {
        let word = word.shortened(to: Self.maximumLength + 1).lowercased()
        let length = word.utf8.count
        guard budget > 0, 1...Self.maximumLength ~= length else { return nil }
        let tolerance = MemberName.tolerance(length)
        let candidates = candidates(length - tolerance...length + tolerance)
        budget -= candidates.reduce(0) { $0 + ($1.utf8.count + 1) * length }
        return budget > 0 ? nearestWord(to: word, among: candidates, within: tolerance) : nil
    }

    /// The ids with lengths in a range.
    private mutating func candidates(_ lengths: ClosedRange<Int>) -> [String] {
        let ids = byLength ?? Dictionary(grouping: written, by: \.utf8.count)
        byLength = ids
        return lengths.flatMap { ids[$0] ?? [] }
    }
}
