import CrossPromoKit
import PromoWire

/// Whether catalogs are fresh enough, and nothing waits for a person.
struct FreshnessCheck {
    /// The answer, in one line.
    struct Verdict {
        let isFresh: Bool
        /// What a person has to fix, whatever the age of the catalogs.
        var problems: [String] = []
        var line: String
        /// The age of the oldest catalog; nil if one has no known age, or if there is none.
        let age: Duration?
    }

    private let catalogs: [CatalogStatus]
    private let maximumAge: Duration
    private let problems: [String]
    /// Why there is no catalog to check.
    private let nothing: String

    /// A check of some of a status's catalogs, and of what concerns all.
    init(_ catalogs: [CatalogStatus], of status: StatusResult, maximumAge: Duration) {
        self.catalogs = catalogs
        self.maximumAge = maximumAge
        nothing = status.freshness.source == .sample ? Self.isSample("The catalog") : Unconfigured.text
        // Of a configuration that is broken as a whole, every catalog has the same error.
        let errors = ([status.configuration.error] + catalogs.map(\.error)).compactMap(\.self).reduce(into: [String]())
        {
            if !$0.contains($1) { $0.append($1) }
        }
        // Of the failures of fetches, only this one may mean that somebody delivers old catalogs.
        let refused = catalogs.filter { $0.refresh.lastError?.code == .signature }
        problems =
            errors.map { "The configuration is broken: \($0)" } + [status.reviewsError].compactMap(\.self)
            + refused.compactMap { catalog in catalog.refresh.lastError.map { "\(catalog.name): \($0.message)" } }
    }

    /// The answer for a time.
    func verdict(now: Timestamp) -> Verdict {
        var verdict = freshness(now: now)
        let expired = catalogs.compactMap { catalog in
            catalog.freshness.warning(now: now).map { "\(catalog.name): \($0)" }
        }
        let problems = problems + expired
        guard !problems.isEmpty else { return verdict }
        verdict.problems = problems
        verdict.line = "BROKEN: \(problems.map(\.sentence).joined(separator: " ")) \(verdict.line)"
        return verdict
    }

    private func freshness(now: Timestamp) -> Verdict {
        guard !catalogs.isEmpty else {
            return Verdict(isFresh: false, line: "STALE: \(nothing)", age: nil)
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
            ? "FRESH: \(apps), \(Self.origin(catalogs[0])) \(Age.text(age)) ago."
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
        catalog.freshness.originAt.map { max(now - $0, .zero) }
    }

    /// What happened as long ago as the catalog is old.
    private static func origin(_ catalog: CatalogStatus) -> String {
        catalog.freshness.cachedSince == nil ? "fetched" : "fetched from a cache that had it from the origin"
    }

    private static func isSample(_ name: String) -> String {
        "\(name) is the sample; \"promoctl setup https://…\" sets the address of yours."
    }

    /// What is wrong with a catalog, as a sentence; nil if it is fresh enough.
    private func problem(_ catalog: CatalogStatus, _ now: Timestamp) -> String? {
        let name =
            catalog.name == CatalogReference.defaultName && catalogs.count == 1
            ? "The catalog" : "The catalog \(catalog.name)"
        let error = catalog.error == nil ? catalog.refresh.lastError?.message : nil
        let reason = error.map { " " + $0.sentence } ?? ""
        switch catalog.freshness.source {
        case .none where catalog.freshness.isUnconfigured: return Unconfigured.textBesidesOthers
        case .none: return "\(name) was never fetched.\(reason)"
        case .sample: return Self.isSample(name)
        case .origin: break
        }
        guard let age = age(catalog, now) else {
            return
                "The age of \(name.prefix(1).lowercased() + name.dropFirst()) is not known, because the clock was changed.\(reason)"
        }
        guard age > maximumAge else { return nil }
        return "\(name) was \(Self.origin(catalog)) \(Age.text(age)) ago.\(reason)"
    }
}

extension FreshnessCheck.Verdict {
    /// The answer as one line of JSON.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("fresh", isFresh)
            writer.member("ageSeconds", age.map { Int($0.components.seconds) })
            writer.member("problems", problems)
            writer.member("message", line)
        }
        return writer.bytes
    }
}
