import ArgumentParser
import CrossPromoKit
import PromoWire

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make promod read its configuration again; a broken one is refused, and the old one stays in force.",
        discussion: "Example: promod --print-configuration && promoctl reload")

    @OptionGroup var options: CommonOptions

    func run() throws {
        let answer = try options.client.ask(.reload)
        if options.json { return try Output.json(answer) }
        try Output.line("The configuration is in force.")
    }
}
