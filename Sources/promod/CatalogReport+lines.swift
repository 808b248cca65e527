import PromoWire

extension CatalogReport {
    /// The report for people, line by line.
    var lines: [String] {
        let findings =
            warnings.map { "\(name):\($0.position): warning: \($0.text)" } + delivery.map { "\(name): warning: \($0)" }
            + errors.map { "\(name):\($0.line)" }
        guard let content else { return findings }
        let counts = [
            content.apps.counting("app"), content.rules.counting("rule"), "generation \(content.generation)",
        ]
        let signature =
            switch content.signature {
            case .good: ["signed"]
            case .unchecked: ["signed, not checked (--public-key checks it)"]
            case nil: [String]()
            }
        let count = warnings.count + delivery.count
        let remarks = signature + (count == 0 ? [] : [count.counting("warning")])
        return findings + ["\(name): good, \((counts + remarks).joined(separator: ", "))"]
    }
}
