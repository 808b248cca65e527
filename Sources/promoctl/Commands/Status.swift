import ArgumentParser
import CrossPromoKit
import PromoWire

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what promod serves, how old it is, what comes next, and what went wrong.",
        discussion: "Example: promoctl status --json | jq .refresh.nextAt")

    @OptionGroup var options: CommonOptions

    func run() throws {
        let answer = try options.ask(.status) { json throws(MalformedResult) in try StatusResult(json) }
        if options.json { return try Output.json(answer.json) }
        try Output.lines(StatusReport(answer.result).lines(on: .standardOutput, now: .now))
    }
}
