/// What came of a ``ConfigurationChange``, which `promod configure` prints as one line of JSON and `promoctl setup` reads.
package struct ConfigureReport: Equatable, Sendable {
    /// Why nothing was changed.
    package struct Refusal: Error, Equatable {
        /// A fetch's ``Failure/Code``, `bad-configuration`, `not-written`, `nothing-to-undo` or `usage`.
        package var code: String
        /// What happened, to what, and what to do.
        package var message: String
        /// Whether it is useless to run the same command again later.
        package var isLasting: Bool

        /// Creates a refusal from its parts.
        package init(code: String, message: String, isLasting: Bool = true) {
            self.code = code
            self.message = message
            self.isLasting = isLasting
        }
    }

    /// The path of the configuration file, with symbolic links resolved; nil if the command failed before it was known.
    package var file: String?
    /// Whether the file was changed.
    package var isChanged: Bool
    /// The address that the file has after an undo, without user, password and query, or "the sample"; nil if it has none.
    package var address: String?
    /// The address that another one has replaced; nil if none was.
    package var replaced: String?
    /// The catalog that was fetched; nil if none was.
    package var catalog: CatalogReport?
    /// The proxy of the environment that was written into the file too; nil if none was.
    package var proxy: ProxyStatus?
    /// The text of the sample, if that was asked for.
    package var sample: String?
    /// Why nothing was changed; nil after a success.
    package var refusal: Refusal?

    /// Creates the report of a command that has not done anything yet.
    package init() {
        isChanged = false
    }

    /// Writes the report's JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("file", file)
            writer.member("changed", isChanged)
            writer.member("address", address)
            writer.member("replaced", replaced)
            writer.member("sample", sample)
            writer.name("catalog")
            if let catalog { catalog.write(to: &writer) } else { writer.value(nil as String?) }
            writer.member("proxy", proxy)
            writer.name("error")
            guard let refusal else { return writer.value(nil as String?) }
            writer.object { writer in
                writer.member("code", refusal.code)
                writer.member("message", refusal.message)
                writer.member("lasting", refusal.isLasting)
            }
        }
    }

    /// Reads what ``write(to:)`` wrote.
    package init(_ json: JSONValue) throws(MalformedResult) {
        file = try json.optionalString("file")
        isChanged = try json.boolean("changed")
        address = try json.optionalString("address")
        replaced = try json.optionalString("replaced")
        sample = try json.optionalString("sample")
        if let catalog = json["catalog"], catalog.kind == .object { self.catalog = try CatalogReport(catalog) }
        proxy = try ProxyStatus(in: json)
        guard let error = json["error"], error.kind == .object else { return }
        refusal = Refusal(
            code: try error.string("code"), message: try error.string("message"),
            isLasting: try error.boolean("lasting"))
    }
}
