import CrossPromoKit
import PromoWire

/// Whether catalogs are fresh enough, and nothing waits for a person.
struct FreshnessCheck: JSONWritable {
    let isFresh: Bool
    /// Whether there is a problem that does not pass by itself, whatever the age of the catalogs.
    let isBroken: Bool
    /// The answer, in one line.
    let line: String
    /// The age of the oldest catalog; nil if one has no known age, or if there is none.
    private let age: Duration?
    private let problems: [Problem]

    /// The age up to which a catalog is fresh by default: two of the days in which promod fetches one.
    static let maximumAge = Duration.seconds(48 * 3600)

    /// Checks the catalogs that have an address, and the problems.
    init(_ status: StatusResult, maximumAge: Duration = maximumAge, now: Timestamp) {
        let known = status.catalogs.filter { $0.url != nil }
        let catalogs = known.filter { $0.nextReason != .resting }
        let ages = catalogs.map { catalog in (catalog, age: catalog.freshness.fetchedAt.map { max(now - $0, .zero) }) }
        let stale = ages.filter { $0.age.map { $0 > maximumAge } ?? true }
        let oldest = ages.max { $0.age ?? .zero < $1.age ?? .zero }
        age = ages.contains { $0.age == nil } ? nil : oldest?.age
        problems = status.problems
        let broken = problems.filter { !$0.code.isOfFetch }
        (isFresh, isBroken) = (stale.isEmpty && !known.isEmpty, !broken.isEmpty)
        if isBroken {
            line = "BROKEN: " + broken.map { Finding($0).head }.joined(separator: " ")
        } else if let (catalog, age) = stale.first {
            let isOrigins = catalog.freshness.source == .origin
            let unknown = isOrigins ? "was fetched at a time ahead of the clock." : "was never fetched."
            let fetched = age.map { "was fetched \(Age.text($0)) ago." } ?? unknown
            let why = status.problems(of: catalog).filter { $0.code != .expired }.map { " " + $0.text }.joined()
            let more = stale.count > 1 ? " And \((stale.count - 1).counting("more catalog"))." : ""
            line = "STALE: \(catalog.name) \(fetched)\(why)\(more)"
        } else if let (catalog, age) = oldest {
            let apps = catalogs.reduce(0) { $0 + $1.apps }.counting("app")
            let those =
                catalogs.count == 1
                ? apps : "\(catalogs.count.counting("catalog")) with \(apps), the oldest (\(catalog.name))"
            line = "OK: \(those) fetched \(Age.text(age ?? .zero)) ago."
        } else if !known.isEmpty {
            line = "OK: No app asks for a catalog, so none is fetched."
        } else {
            line = "STALE: " + (status.catalogs.isEmpty ? Unconfigured.text : "No catalog has an address.")
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("fresh", isFresh)
            writer.member("ageSeconds", age.map { Int($0.components.seconds) })
            writer.member("problems", problems)
            writer.member("message", line)
        }
    }
}
