import PromoWire

/// The ids of a catalog's apps, broken ones included, and a search for the one that a misspelt id was meant to be.
struct CatalogIDs {
    /// The maximum length of a word that is compared with ids.
    private static let maximumLength = 64

    private let written: [OutsideText]
    private let known: Set<OutsideText>
    /// How many more lengths and pairs of letters may be compared; a hostile catalog may have a million ids and as many rules.
    private var budget = 1 << 22

    init(of apps: JSONValue?) {
        written = apps.map { $0.elements.compactMap { $0["id"]?.outsideText } } ?? []
        known = Set(written)
    }

    func contains(_ id: OutsideText) -> Bool {
        known.contains(id)
    }

    /// The id that a word was probably meant to be, ignoring case; nil if the word is not similar to any.
    mutating func nearest(to word: OutsideText) -> String? {
        guard budget > 0, let word = word.ascii(upTo: Self.maximumLength)?.lowercased(), !word.isEmpty else {
            return nil
        }
        let length = word.utf8.count
        let tolerance = tolerance(of: length)
        let candidates = written.filter { length - tolerance...length + tolerance ~= $0.bytes.count }
        budget -= candidates.reduce(written.count) { $0 + ($1.bytes.count + 1) * length }
        guard budget > 0 else { return nil }
        return nearestWord(to: word, among: candidates.lazy.compactMap { $0.ascii(upTo: .max) }, within: tolerance)
    }
}
