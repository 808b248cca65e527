import ArgumentParser
import CrossPromoKit
import PromoWire

struct Launch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record that an app was launched; the wait for its first review begins with the first launch.",
        discussion: "Example: promoctl launch finebill")

    @OptionGroup var app: AppArgument
    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        let parameters = AppParameters(app: app.app, catalog: catalog.reference)
        let answer = try options.ask(.launch(parameters)) { json throws(MalformedResult) in
            try LaunchResult(json)
        }
        if options.json { return try Output.json(answer.json) }
        let result = answer.result
        let when = result.firstLaunch.told(now: .now)
        try Output.line(
            result.isRecorded
                ? "The first launch of \(result.app.printable) is recorded: \(when)."
                : "\(result.app.printable) was first launched before: \(when).")
    }
}
