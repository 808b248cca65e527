import CrossPromoKit
import PromoWire

/// Whether catalogs are fresh enough.
struct FreshnessCheck {
    /// The answer, in one line.
    struct Verdict {
        let isFresh: Bool
        let line: String
        /// The age of the oldest catalog; nil if one has no known age, or if there is none.
        let age: Duration?
    }

    private let catalogs: [CatalogStatus]
    private let maximumAge: Duration

    /// A check of some catalogs.
    init(_ catalogs: [CatalogStatus], maximumAge: Duration) {
        self.catalogs = catalogs
        self.maximumAge = maximumAge
    }

    /// The answer for a time.
    func verdict(now: Timestamp) -> Verdict {
        guard !catalogs.isEmpty else {
            return Verdict(
                isFresh: false, line: "STALE: no catalog has an address; \"promoctl setup https://…\" sets one.",
                age: nil)
        }
        let problems = catalogs.compactMap { problem($0, now) }
        if let first = problems.first {
            let more = problems.count > 1 ? " And \((problems.count - 1).counting("more catalog"))." : ""
            return Verdict(isFresh: false, line: "STALE: \(first)\(more)", age: oldest(now)?.age)
        }
        guard let (name, age) = oldest(now) else { return Verdict(isFresh: false, line: "STALE", age: nil) }
        let apps = catalogs.reduce(0) { $0 + $1.apps }.counting("app")
        let line =
            catalogs.count == 1
            ? "FRESH: \(apps), fetched \(Age.text(age)) ago."
            : "FRESH: \(catalogs.count.counting("catalog")) with \(apps), the oldest (\(name)) fetched \(Age.text(age)) ago."
        return Verdict(isFresh: true, line: line, age: age)
    }

    /// The oldest catalog; nil if the age of one is not known.
    private func oldest(_ now: Timestamp) -> (name: String, age: Duration)? {
        let ages = catalogs.map { catalog in age(catalog, now).map { (catalog.name, $0) } }
        guard !ages.contains(where: { $0 == nil }) else { return nil }
        return ages.compactMap(\.self).max { $0.1 < $1.1 }
    }

    private func age(_ catalog: CatalogStatus, _ now: Timestamp) -> Duration? {
        catalog.freshness.fetchedAt.map { max(now - $0, .zero) }
    }

    /// What is wrong with a catalog, as a sentence; nil if it is fresh enough.
    private func problem(_ catalog: CatalogStatus, _ now: Timestamp) -> String? {
        let name =
            catalog.name == CatalogReference.defaultName && catalogs.count == 1
            ? "The catalog" : "The catalog \(catalog.name)"
        let reason = (catalog.error ?? catalog.refresh.lastError?.message).map { " " + $0.sentence } ?? ""
        switch catalog.freshness.source {
        case .none: return "\(name) was never fetched.\(reason)"
        case .sample: return "\(name) is the sample, because it has no address; \"promoctl setup https://…\" sets one."
        case .origin: break
        }
        guard let age = age(catalog, now) else {
            return
                "The age of \(name.prefix(1).lowercased() + name.dropFirst()) is not known, because the clock was changed.\(reason)"
        }
        guard age > maximumAge else { return nil }
        return "\(name) was fetched \(Age.text(age)) ago.\(reason)"
    }
}

extension FreshnessCheck.Verdict {
    /// The answer as one line of JSON.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("fresh", isFresh)
            writer.name("ageSeconds")
            if let age { writer.value(Int(age.components.seconds)) } else { writer.value(String?.none) }
            writer.member("message", line)
        }
        return writer.bytes
    }
}
