import ArgumentParser
import CrossPromoKit
import PromoSystem
import PromoWire

struct Launch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record that an app was launched.",
        discussion: """
            The wait for its first review begins with the first launch.

            Example: promoctl launch finebill
            """)

    @OptionGroup var app: AppArgument
    @OptionGroup var options: CommonOptions

    func run() throws {
        try options.show(.command(.launch(app: app.app)), as: LaunchResult.self) { result in
            let when = result.firstLaunch.shown(now: .now)
            return result.isRecorded
                ? "The first launch of \(result.app) is recorded: \(when)."
                : "\(result.app) was first launched before: \(when)."
        }
    }
}
