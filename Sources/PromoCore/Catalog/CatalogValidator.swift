import PromoWire

/// Holds a JSON value against the catalog's rules and collects every finding.
struct CatalogValidator {
    /// What is kept of a catalog that is nothing but wrong: 5 MiB of `{},` would make ten million findings.
    static let maximumFindings = 1000
    /// How much of a member's name stands in a pointer: one name may be a megabyte, and thousands of findings may lie below it.
    static let maximumToken = 64

    private(set) var findings: [CatalogFinding] = []

    /// The catalog that the value is; nil where a rule is broken.
    mutating func validate(_ root: JSONValue) -> AppCatalog? {
        guard root.kind == .object else {
            find("", "The catalog is a JSON object.")
            return nil
        }
        let apps = validateApps(root["apps"])
        let rules = validateRules(root["promoRules"], ids: ids(of: root["apps"]))
        return findings.isEmpty ? AppCatalog(apps: apps, promoRules: rules) : nil
    }

    // MARK: Apps

    private mutating func validateApps(_ value: JSONValue?) -> [PromoApp] {
        guard let value else {
            find("/apps", "The catalog needs \"apps\", an array of at least one app.")
            return []
        }
        guard value.kind == .array else {
            find("/apps", "\"apps\" is an array.")
            return []
        }
        var apps: [PromoApp] = []
        var positions: [String: Int] = [:]
        for (index, element) in value.elements.enumerated() {
            guard let app = validateApp(element, at: "/apps/\(index)") else { continue }
            if let first = positions.updateValue(positions[app.id] ?? index, forKey: app.id) {
                find("/apps/\(index)/id", "The id \"\(app.id.shortened())\" is taken by /apps/\(first) already.")
            }
            apps.append(app)
        }
        if apps.isEmpty && findings.isEmpty {
            find("/apps", "\"apps\" holds at least one app.")
        }
        return apps
    }

    /// The app, even where findings were made in it, so that later ones can refer to its id.
    private mutating func validateApp(_ value: JSONValue, at pointer: String) -> PromoApp? {
        guard value.kind == .object else {
            find(pointer, "An app is a JSON object.")
            return nil
        }
        let id = text("id", of: value, at: pointer, AppID.isWellFormed, AppID.form)
        let name = text("name", of: value, at: pointer)
        let store = text(
            "appStoreID", of: value, at: pointer, StoreNumber.isWellFormed, StoreNumber.form)
        let icon = text(
            "iconURL", of: value, at: pointer, { HTTPSURL($0) != nil },
            "an https address with a host, such as https://example.com/icon.png")
        let category = text("category", of: value, at: pointer)
        let tagline = validateTagline(value["tagline"], at: pointer + "/tagline")
        guard let id else { return nil }
        return PromoApp(
            id: id, name: name ?? "", appStoreID: store ?? "", iconURL: icon ?? "", category: category ?? "",
            tagline: tagline ?? LocalizedText(en: ""))
    }

    private mutating func validateTagline(_ value: JSONValue?, at pointer: String) -> LocalizedText? {
        guard let value else {
            find(pointer, "An app needs a \"tagline\", an object with at least \"en\".")
            return nil
        }
        guard value.kind == .object else {
            find(pointer, "\"tagline\" is an object such as {\"en\":\"…\",\"ko\":\"…\"}.")
            return nil
        }
        let english = text("en", of: value, at: pointer)
        let korean = translation("ko", of: value, at: pointer)
        let japanese = translation("ja", of: value, at: pointer)
        return english.map { LocalizedText(en: $0, ko: korean, ja: japanese) }
    }

    private mutating func translation(_ member: String, of object: JSONValue, at pointer: String) -> String? {
        guard let value = object[member], value.kind != .null else { return nil }
        if value.kind != .string { find("\(pointer)/\(member)", "\"\(member)\" is a string, null or left out.") }
        return value.string
    }

    /// A member that has to be a string, not empty, and in the form that a check knows.
    private mutating func text(
        _ member: String, of object: JSONValue, at pointer: String,
        _ isWellFormed: (String) -> Bool = { _ in true }, _ form: String = "text"
    ) -> String? {
        let spot = "\(pointer)/\(member)"
        guard let value = object[member] else {
            find(spot, "\"\(member)\" is missing: \(form).")
            return nil
        }
        guard let string = value.string else {
            find(spot, "\"\(member)\" is a string: \(form).")
            return nil
        }
        guard !string.isEmpty else {
            find(spot, "\"\(member)\" must not be empty: \(form).")
            return nil
        }
        guard isWellFormed(string) else {
            find(spot, "\"\(member)\" is \(form), and \"\(string.shortened())\" is not.")
            return nil
        }
        return string
    }

    // MARK: Rules

    /// The ids that rules may name: all that are written, so that one broken app does not make each rule about it a finding.
    private func ids(of apps: JSONValue?) -> Set<String> {
        guard let apps else { return [] }
        return Set(apps.elements.lazy.compactMap { $0["id"]?.string })
    }

    private mutating func validateRules(_ value: JSONValue?, ids: Set<String>) -> [String: [String]] {
        guard let value, value.kind != .null else { return [:] }
        guard value.kind == .object else {
            find("/promoRules", "\"promoRules\" is an object: each host's id with an array of app ids.")
            return [:]
        }
        var rules: [String: [String]] = [:]
        for (name, value) in value.members {
            let host = name.string ?? ""
            rules[host] = validateRule(value, at: "/promoRules/\(Self.escaped(host))", ids: ids)
        }
        return rules
    }

    private mutating func validateRule(_ value: JSONValue, at pointer: String, ids: Set<String>) -> [String] {
        guard value.kind == .array else {
            find(pointer, "A rule is an array of app ids; an empty one promotes nothing.")
            return []
        }
        var rule: [String] = []
        for (index, element) in value.elements.enumerated() {
            guard let id = element.string else {
                find("\(pointer)/\(index)", "A rule names apps by their id, a string.")
                continue
            }
            if !ids.contains(id) { find("\(pointer)/\(index)", "No app has the id \"\(id.shortened())\".") }
            rule.append(id)
        }
        return rule
    }

    /// A member's name, or its beginning if it is long, as a reference token of a JSON Pointer.
    private static func escaped(_ name: String) -> String {
        // By Unicode scalar: a slash and a combining mark behind it are one character, which is not a slash.
        name.elided(to: maximumToken).unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "~": result += "~0"
            case "/": result += "~1"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    private mutating func find(_ pointer: String, _ message: String) {
        guard findings.count < Self.maximumFindings else { return }
        findings.append(CatalogFinding(pointer: pointer, message: message))
        guard findings.count == Self.maximumFindings - 1 else { return }
        findings.append(CatalogFinding(pointer: "", message: "There is more that is wrong, and it is not listed."))
    }
}
