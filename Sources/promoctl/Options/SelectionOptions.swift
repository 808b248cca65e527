import ArgumentParser
import PromoWire

/// Which apps are shown, and in which language.
struct SelectionOptions: ParsableArguments {
    @OptionGroup var host: HostOption

    @Option(
        help: ArgumentHelp("The language of the taglines, such as ko.", valueName: "tag"),
        completion: .list(Language.allCases.map(\.rawValue)))
    var language: String?

    @Option(help: ArgumentHelp("Show at most this many apps.", valueName: "count"))
    var limit: Int?

    @Flag(help: "Leave out the apps whose first launch is recorded.")
    var unlaunched = false

    @OptionGroup var catalog: CatalogOption

    func validate() throws {
        guard limit ?? 1 >= 1 else { throw ValidationError("--limit must be 1 or more.") }
    }

    /// The parameters of the list.
    func parameters(_ language: TaglineLanguage) -> ListParameters {
        ListParameters(host: host.host, language: language, limit: limit, unlaunched: unlaunched)
    }
}
