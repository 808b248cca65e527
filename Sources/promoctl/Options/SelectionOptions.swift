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

    @Option(
        help: ArgumentHelp("Leave out this app; up to 100 times.", valueName: "id"),
        completion: .appIDs)
    var exclude: [String] = []

    @Flag(help: "Leave out the apps whose first launch is recorded.")
    var unlaunched = false

    @OptionGroup var catalog: CatalogOption

    func validate() throws {
        guard limit ?? 1 >= 1 else { throw ValidationError("--limit must be 1 or more.") }
        guard exclude.count <= ListParameters.maximumExcluded else {
            throw ValidationError("--exclude may be given at most \(ListParameters.maximumExcluded) times.")
        }
        if let wrong = exclude.first(where: { !AppID.isWellFormed($0) }) {
            throw ValidationError(
                "--exclude takes one app's id (\(AppID.form)), not \"\(wrong.shortened().printable)\"; give it again for each app."
            )
        }
    }

    /// The parameters of the list.
    func parameters(_ language: TaglineLanguage) -> ListParameters {
        ListParameters(
            host: host.host, language: language, limit: limit, exclude: exclude, unlaunched: unlaunched)
    }
}
