import ArgumentParser
import CrossPromoKit
import PromoWire

struct Call: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Call any method of the protocol, and print its result.",
        discussion: "Example: promoctl call list '{\"host\":\"finebill\",\"language\":\"*\"}'")

    @Argument(help: "The method; \"promoctl describe\" lists them.", completion: .list(MethodTable.all.map(\.name)))
    var method: String

    @Argument(help: ArgumentHelp("Its parameters, a JSON object.", valueName: "params"))
    var parameters = "{}"

    @OptionGroup var options: CommonOptions

    func validate() throws {
        do {
            let document = try JSONDocument(Array(parameters.utf8), maximumDepth: Message.maximumDepth - 1)
            guard document.root.kind == .object else {
                throw ValidationError("The parameters have to be a JSON object, \(Self.example).")
            }
        } catch let error as JSONError {
            throw ValidationError(
                "The parameters \"\(parameters.shortened(to: 32).printable)\" are not a JSON object, \(Self.example): \(error)."
            )
        }
    }

    private static let example = "such as '{\"app\":\"bookary\"}'"

    func run() throws {
        // A promod that answers nothing is found out at once, rather than after the time that an origin may take.
        _ = try options.client.ask(.status)
        // A line feed can only stand between values here, where a blank does as well.
        let onOneLine = parameters.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
        let line = Request.line(method: method) { $0.value(json: onOneLine) }
        try Output.json(try options.client.ask(line: line, timeout: DaemonClient.fetchTimeout))
    }
}
