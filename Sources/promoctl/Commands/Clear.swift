import ArgumentParser
import CrossPromoKit
import PromoWire

struct Clear: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Forget the cached catalog, in memory and on disk; it is fetched again as soon as that is allowed.",
        discussion: "Example: promoctl clear && promoctl wait")

    @OptionGroup var options: CommonOptions

    func run() throws {
        let answer = try options.client.ask(.clear)
        if options.json { return try Output.json(answer) }
        try Output.line("The cached catalog is forgotten. \"promoctl wait\" returns when there is one again.")
    }
}
