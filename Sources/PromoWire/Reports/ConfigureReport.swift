/// The result of a ``ConfigurationChange``, which `promod configure` prints as one line of JSON and `promoctl setup` reads.
package struct ConfigureReport: JSONObject, Equatable {
    /// Why nothing was changed.
    package struct Refusal: JSONObject, Error, Equatable {
        package var code = ""
        package var message = ""
        package var isLasting = false

        package static let members: [Member<Refusal>] = [
            Member(
                "code", \.code, "a failure's code, bad-configuration, not-written, nothing-to-undo or usage"),
            Member("message", \.message, "what happened, to what, and what to do"),
            Member("lasting", \.isLasting, "whether it is useless to run the same command again later"),
        ]

        package init() {}

        /// Creates a refusal from its parts.
        package init(code: String, message: String, isLasting: Bool = true) {
            (self.code, self.message, self.isLasting) = (code, message, isLasting)
        }
    }

    package var file: String?
    package var isChanged = false
    package var address: String?
    package var replaced: String?
    package var sample: String?
    package var catalog: CatalogReport?
    package var proxy: ProxyStatus?
    /// nil after a success.
    package var refusal: Refusal?

    package static let members: [Member<ConfigureReport>] = [
        Member(
            "file", \.file,
            "the configuration file, with symbolic links resolved; null if the command failed before it was known"),
        Member("changed", \.isChanged, "whether the file was changed"),
        Member(
            "address", \.address,
            "the address that the file has after an undo, without user, password and query, or sample; null if it has none"
        ),
        Member("replaced", \.replaced, "the address that another one has replaced; null if none was"),
        Member("sample", \.sample, "the text of the sample, if that was asked for"),
        Member("catalog", \.catalog, "the catalog that was fetched; null if none was", isLenient: true),
        Member(
            "proxy", \.proxy, "the proxy of the environment that was written into the file too; null if none was",
            isLenient: true),
        Member("error", \.refusal, "why nothing was changed; null after a success", isLenient: true),
    ]

    /// Creates the report of a command that has changed nothing.
    package init() {}
}
