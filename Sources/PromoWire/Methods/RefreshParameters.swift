/// The parameters of `refresh`.
package struct RefreshParameters: Equatable, Sendable {
    /// Whether to reply only when the fetch has ended.
    package var wait: Bool
    /// Whether to take a catalog that would be held back.
    package var accept: Bool

    /// Creates parameters.
    package init(wait: Bool = true, accept: Bool = false) {
        (self.wait, self.accept) = (wait, accept)
    }
}

extension RefreshParameters: MethodParameters {
    mutating func visitParameters(_ parameter: inout ParameterVisitor) {
        parameter(
            "wait", .boolean, &wait, "whether to reply only when the fetch has ended", meantBy: ["block", "sync"])
        parameter(
            "accept", .boolean, &accept, "whether to take a catalog that lost more than half of its apps",
            leftOut: false, meantBy: ["force", "yes"])
    }
}

extension MethodTable {
    static let refresh = MethodDescription(
        "refresh", "Fetches the catalog now.", .command(.refresh(RefreshParameters())), result: RefreshResult.schema,
        errors: [.noOrigin])
}
