import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the apps that an app may promote, \"More Apps\".",
        discussion: """
            Prints a row per app: icon, name, category and tagline, and on a wide terminal the id. The icon is a tile with the \
            app's initials, or its picture on a terminal that draws PNG by kitty's protocol (NO_COLOR turns that off). The \
            tagline is in the language of LANGUAGE, LC_ALL, LC_MESSAGES or LANG. Notices stand below the list on a terminal, \
            else on standard error.

            Exit codes: 0 for a list, even an empty one; without a catalog 75 if promod tries again by itself, else 1.

            Example: promoctl list --host finebill --language ko --limit 3
            """)

    @OptionGroup var selection: SelectionOptions

    @Flag(help: "Show the apps' ids on any terminal, and in a pipe or file.")
    var ids = false

    @Flag(help: "Report to promod that the rows were seen.")
    var impressions = false

    @Flag(help: "Show the lists of all catalogs.")
    var all = false

    @OptionGroup var options: CommonOptions

    func validate() throws {
        guard all else { return }
        if selection.catalog.reference != nil {
            throw ValidationError("--all is for all catalogs; leave out --catalog.")
        }
        if impressions { throw ValidationError("--impressions is about one catalog; leave out --all.") }
    }

    func run() throws {
        if all { return try showAll() }
        let answer = try report(selection.catalog.reference).show()
        if answer.state == .empty { throw try options.noCatalog(selection.catalog.reference) }
        guard impressions else { return }
        let ids = answer["apps"]?.elements.compactMap { $0["id"].flatMap(AppID.id(in:)) } ?? []
        for start in stride(from: 0, to: ids.count, by: ImpressionParameters.maximumApps) {
            let apps = Array(ids[start...].prefix(ImpressionParameters.maximumApps))
            _ = try options.client.ask(
                .impression(ImpressionParameters(apps: apps, host: selection.host.host)),
                of: selection.catalog.reference)
        }
    }

    private func report(_ catalog: CatalogReference?) -> ListReport {
        ListReport(
            client: options.client, parameters: selection.parameters(.all), catalog: catalog,
            language: selection.language, hasIDs: ids, isJSON: options.json)
    }

    private func showAll() throws {
        let names = try options.status().catalogs.filter { $0.freshness.source != .none }.map(\.name)
        if names.isEmpty { throw try options.noCatalog(nil) }
        if options.json { return try showJSON(names) }
        for (index, name) in names.enumerated() {
            if index > 0 { try Output.line("") }
            try Output.line(Style.label.applied(to: "\(name):", on: .standardOutput))
            _ = try report(.name(name)).show()
        }
    }

    private func showJSON(_ names: [String]) throws {
        let parameters = selection.parameters(
            selection.language.map { TaglineLanguage(OutsideText($0)) } ?? .one(.ofProcess))
        let answers = try names.map { try options.client.ask(.list(parameters), of: .name($0)) }
        var writer = JSONWriter()
        writer.object { writer in
            writer.array("catalogs") { writer in
                for (name, answer) in zip(names, answers) {
                    writer.object { writer in
                        writer.member("name", name)
                        writer.name("list")
                        writer.value(json: answer.text)
                    }
                }
            }
        }
        try Output.json(bytes: writer.bytes[...])
    }
}
