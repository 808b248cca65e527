/// The parameters of `refresh`.
package struct RefreshParameters: Equatable, Sendable {
    /// Whether to reply only when the fetch has ended.
    package var wait: Bool

    /// Creates parameters.
    package init(wait: Bool = true) {
        self.wait = wait
    }
}

extension RefreshParameters: MethodParameters {
    mutating func visitParameters(_ parameter: inout ParameterVisitor) {
        parameter(
            "wait", .boolean, &wait, "whether to reply only when the fetch has ended")
    }
}

extension MethodTable {
    static let refresh = MethodDescription(
        "refresh", "Fetches the catalog now.", .command(.refresh(RefreshParameters())), result: RefreshResult.schema,
        errors: [.noOrigin])
}
