import PromoWire

extension FuzzTarget {
    /// The meaning of a line does not depend on the order of its members, and each request is read back from its own line.
    static let request = FuzzTarget(name: "request") { input in
        guard let outcome = Outcome(line: input) else { return }
        if let root = try? JSONDocument(input, maximumDepth: Call.maximumDepth).root {
            let reversed = Outcome(line: root.reversed)
            try require(
                outcome == reversed, "\(outcome) became \(reversed as Any) with the members in the opposite order")
        }
        if case .request(let request, _) = outcome {
            let again = Outcome(line: request.line.dropLast())
            try require(
                again == .request(request, id: Array("1".utf8)), "\(request) was read back as \(again as Any)")
        }
    }
}
