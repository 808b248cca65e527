/// The parameters of `refresh`.
package struct RefreshParameters: Equatable, Sendable {
    /// Whether to reply only when the fetch has ended.
    package var wait: Bool
    /// The app that asks.
    package var host: String?

    /// Creates parameters.
    package init(wait: Bool = true, host: String? = nil) {
        (self.wait, self.host) = (wait, host)
    }
}

extension RefreshParameters: MethodParameters {
    mutating func visitParameters(_ parameter: inout ParameterVisitor) {
        parameter(
            "wait", .boolean, &wait, "whether to reply only when the fetch has ended")
        parameter.host(&host)
    }
}

extension MethodTable {
    static let refresh = MethodDescription(
        "refresh", "Fetches the catalog now.", .command(.refresh(RefreshParameters())), result: RefreshResult.schema,
        errors: [.noOrigin])
}
