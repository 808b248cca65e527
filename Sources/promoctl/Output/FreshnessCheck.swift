import CrossPromoKit
import PromoWire

/// Whether catalogs are fresh enough, and nothing waits for a person.
struct FreshnessCheck {
    let isFresh: Bool
    /// What a person has to fix, whatever the age of the catalogs.
    let problems: [String]
    /// The answer, in one line.
    let line: String
    /// The age of the oldest catalog; nil if one has no known age, or if there is none.
    let age: Duration?

    /// Checks some of a status's catalogs, and what concerns all.
    init(_ catalogs: [CatalogStatus], of status: StatusResult, maximumAge: Duration, now: Timestamp) {
        let ages = catalogs.map { catalog in catalog.freshness.originAt.map { max(now - $0, .zero) } }
        let stale = zip(catalogs, ages).compactMap { catalog, age in
            Self.staleness(of: catalog, age: age, maximumAge: maximumAge, isOnly: catalogs.count == 1)
        }
        let known = zip(catalogs, ages).compactMap { catalog, age in age.map { (catalog: catalog, age: $0) } }
        let oldest = known.count == catalogs.count ? known.max { $0.age < $1.age } : nil
        age = oldest?.age
        isFresh = stale.isEmpty && oldest != nil
        problems = Self.problems(of: catalogs, status)
        let answer: String
        if let first = stale.first {
            let more = stale.count > 1 ? " And \((stale.count - 1).counting("more catalog"))." : ""
            answer = "STALE: \(first)\(more)"
        } else if let (catalog, age) = oldest {
            let apps = catalogs.reduce(0) { $0 + $1.apps }.counting("app")
            answer =
                catalogs.count == 1
                ? "FRESH: \(apps), \(Self.origin(of: catalog)) \(Age.text(age)) ago."
                : "FRESH: \(catalogs.count.counting("catalog")) with \(apps), the oldest (\(catalog.name)) fetched "
                    + "\(Age.text(age)) ago."
        } else {
            answer = "STALE: \(status.freshness.source == .sample ? Self.isSample("The catalog") : Unconfigured.text)"
        }
        line = problems.isEmpty ? answer : "BROKEN: \(problems.map(\.sentence).joined(separator: " ")) \(answer)"
    }

    private static func problems(of catalogs: [CatalogStatus], _ status: StatusResult) -> [String] {
        // Of a configuration that is broken as a whole, every catalog has the same error.
        let errors = ([status.configuration.error] + catalogs.map(\.error)).compactMap(\.self)
            .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return errors.map { "The configuration is broken: \($0)" } + [status.reviewsError].compactMap(\.self)
    }

    /// Why a catalog is not fresh enough, as a sentence; nil if it is.
    private static func staleness(
        of catalog: CatalogStatus, age: Duration?, maximumAge: Duration, isOnly: Bool
    ) -> String? {
        let name =
            catalog.name == CatalogReference.defaultName && isOnly ? "The catalog" : "The catalog \(catalog.name)"
        let error = catalog.error == nil ? catalog.refresh.lastError?.message : nil
        let reason = error.map { " " + $0.sentence } ?? ""
        switch catalog.freshness.source {
        case .none where catalog.freshness.isUnconfigured: return Unconfigured.text
        case .none, .bundled: return "\(name) was never fetched.\(reason)"
        case .sample: return isSample(name)
        case .origin: break
        }
        guard let age else {
            let name = name.prefix(1).lowercased() + name.dropFirst()
            return "The age of \(name) is not known, because the clock was changed.\(reason)"
        }
        return age > maximumAge ? "\(name) was \(origin(of: catalog)) \(Age.text(age)) ago.\(reason)" : nil
    }

    /// What happened as long ago as the catalog is old.
    private static func origin(of catalog: CatalogStatus) -> String {
        catalog.freshness.cachedSince == nil ? "fetched" : "fetched from a cache that had it from the origin"
    }

    private static func isSample(_ name: String) -> String {
        "\(name) is the sample; \"promoctl setup https://…\" sets the address of yours."
    }

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
