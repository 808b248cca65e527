import ArgumentParser
import CrossPromoKit
import PromoWire

struct Launch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record that an app was launched; the wait for its first review begins with the first launch.",
        discussion: """
            If the catalog does not have the app, the command says so, and on a terminal it asks first; with --yes, it does \
            neither, for a script that starts an app which is not published yet.

            Example: promoctl launch finebill
            """)

    @OptionGroup var app: AppArgument
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        // A script is not asked: its app may be one that the catalog does not have yet.
        if !yes, try options.warns(ofUnknown: app.app, in: catalog.reference), Confirmation.isPossible {
            try Confirmation.require("Its launch would be recorded.", otherwise: "Nothing was recorded.")
        }
        try options.show(.command(.launch(app: app.app)), of: catalog, as: LaunchResult.self) { result in
            let when = result.firstLaunch.shown(now: .now)
            return result.isRecorded
                ? "The first launch of \(result.app) is recorded: \(when)."
                : "\(result.app) was first launched before: \(when)."
        }
    }
}
