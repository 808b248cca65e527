import PromoCore
import PromoWire

/// The JSON of an app, with members replaced or added by other JSON; nil leaves one out.
func app(_ id: String = "bookary", _ changes: [String: String?] = [:]) -> String {
    let members = [
        ("id", "\"\(id)\""), ("name", #""Bookary""#), ("appStoreID", #""6470000002""#),
        ("iconURL", #""https://example.com/icon.png""#), ("category", #""Books""#), ("tagline", #"{"en":"A diary"}"#),
        ("storeURLs", #"{"linux":"https://example.com/bookary"}"#),
    ]
    let added = changes.filter { name, _ in !members.contains { $0.0 == name } }.sorted { $0.key < $1.key }
    let written = (members + added.map { ($0.key, $0.value ?? "null") }).compactMap { name, json -> String? in
        guard let value = changes[name, default: json] else { return nil }
        return "\"\(name)\":\(value)"
    }
    return "{\(written.joined(separator: ","))}"
}

/// The JSON of a catalog.
func catalog(_ apps: [String], rules: String = "{}") -> String {
    "{\"apps\":[\(apps.joined(separator: ","))],\"promoRules\":\(rules)}"
}

/// Why bytes are not a valid catalog; nil if they are.
func catalogError(_ bytes: [UInt8]) -> CatalogError? {
    do {
        _ = try AppCatalog(bytes)
        return nil
    } catch {
        return error
    }
}

/// The warnings about the text of a catalog; empty if it is not JSON.
func warnings(_ text: String) -> [CatalogFinding] {
    (try? CatalogText(Array(text.utf8)))?.warnings ?? []
}

/// What the text of a catalog has that is good to know; empty if it is not JSON.
func notes(_ text: String) -> [CatalogFinding] {
    (try? CatalogText(Array(text.utf8)))?.notes ?? []
}

/// The broken rules in the JSON of a catalog; empty if it is valid.
func findings(_ text: String) -> [CatalogFinding] {
    if case .schema(let findings) = catalogError(Array(text.utf8)) { findings } else { [] }
}
