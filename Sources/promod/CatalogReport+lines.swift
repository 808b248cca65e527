import PromoWire

extension CatalogReport {
    /// The report for people, line by line.
    var lines: [String] {
        let findings =
            warnings.map { "\(name):\($0.position): warning: \($0.text)" } + errors.map { "\(name):\($0.line)" }
        guard let content else { return findings }
        let counts = [
            content.apps.counting("app"), content.rules.counting("rule"), "generation \(content.generation)",
        ]
        let remarks = warnings.isEmpty ? [] : [warnings.count.counting("warning")]
        return findings + ["\(name): good, \((counts + remarks).joined(separator: ", "))"]
    }
}
