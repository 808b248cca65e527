/// The result of changing the configuration, which `promod configure --json` prints and `promoctl setup` reads.
package struct ConfigureReport: JSONObject, Equatable {
    /// Why nothing was changed.
    package struct Refusal: JSONObject, Equatable {
        package var code = ""
        package var message = ""
        package var isLasting = false

        package static let members: [Member<Refusal>] = [
            Member(
                "code", \.code, "a failure's code, bad-configuration, not-written or nothing-to-undo"),
            Member("message", \.message, "what happened, to what, and what to do"),
            Member("lasting", \.isLasting, "whether it is useless to run the same command again later"),
        ]

        package init() {}

        /// A refusal with its parts.
        package init(code: String, message: String, isLasting: Bool) {
            (self.code, self.message, self.isLasting) = (code, message, isLasting)
        }
    }

    /// Nil if the command failed before it was known.
    package var file: String?
    package var isChanged = false
    /// Nil if none was.
    package var replaced: String?
    /// Nil if none was.
    package var catalog: CatalogReport?
    /// Nil if none was.
    package var proxy: ProxyStatus?
    /// Nil after a success.
    package var refusal: Refusal?

    package static let members: [Member<ConfigureReport>] = [
        Member("file", \.file, "the configuration file, with symbolic links resolved"),
        Member("changed", \.isChanged, "whether the file was changed"),
        Member("replaced", \.replaced, "the address that another one has replaced", isLenient: true),
        Member("catalog", \.catalog, "the catalog that was fetched", isLenient: true),
        Member("proxy", \.proxy, "the proxy of the environment that was written into the file too", isLenient: true),
        Member("error", \.refusal, "why nothing was changed", isLenient: true),
    ]

    /// The report of a command that has not done anything yet.
    package init() {}
}
