import PromoWire

extension FuzzTarget {
    /// The meaning of a line does not depend on the order of its members, and each request is read back from its own line.
    static let request = FuzzTarget(name: "request") { input in
        guard let outcomes = Outcome.all(of: input) else { return }
        if let root = try? JSONDocument(input, maximumDepth: Message.maximumDepth).root {
            let reversed = Outcome.all(of: root.reversed)
            try require(
                outcomes == reversed, "\(outcomes) became \(reversed ?? []) with the members in the opposite order")
        }
        for case .request(let request, _) in outcomes {
            let again = Outcome.all(of: request.line.dropLast())
            try require(
                again == [.request(request, id: Array("1".utf8))], "\(request) was read back as \(again ?? [])")
        }
    }
}
