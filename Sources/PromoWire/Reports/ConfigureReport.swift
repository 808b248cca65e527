/// The result of a ``ConfigurationChange``, which `promod configure` prints as one line of JSON and `promoctl setup` reads.
package struct ConfigureReport: JSONObject, Equatable {
    /// Why nothing was changed.
    package struct Refusal: JSONObject, Error, Equatable {
        package var code = ""
        package var message = ""
        package var isLasting = false

        package mutating func visitMembers(_ member: inout MemberVisitor) {
            member(
                "code", &code, "a failure's code, bad-configuration, not-written, nothing-to-undo or usage")
            member("message", &message, "what happened, to what, and what to do")
            member("lasting", &isLasting, "whether it is useless to run the same command again later")
        }

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

    package mutating func visitMembers(_ member: inout MemberVisitor) {
        member(
            "file", &file,
            "the configuration file, with symbolic links resolved; null if the command failed before it was known")
        member("changed", &isChanged, "whether the file was changed")
        member(
            "address", &address,
            "the address that the file has after an undo, without user, password and query, or sample; null if it has none"
        )
        member("replaced", &replaced, "the address that another one has replaced; null if none was")
        member("sample", &sample, "the text of the sample, if that was asked for")
        member("catalog", &catalog, "the catalog that was fetched; null if none was")
        member(
            "proxy", &proxy, "the proxy of the environment that was written into the file too; null if none was")
        member("error", &refusal, "why nothing was changed; null after a success")
    }

    /// Creates the report of a command that has changed nothing.
    package init() {}
}
