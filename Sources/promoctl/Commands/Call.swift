import ArgumentParser
import CrossPromoKit
import PromoWire

struct Call: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Call any method of the protocol, and print its result.",
        discussion: "Example: promoctl call list '{\"host\":\"finebill\",\"language\":\"*\"}'")

    @Argument(help: "The method; \"promoctl describe\" lists them.", completion: .list(MethodTable.all.map(\.name)))
    var method: String

    @Argument(help: ArgumentHelp("The method's parameters, a JSON object.", valueName: "params"))
    var parameters = "{}"

    @OptionGroup var options: CommonOptions

    func validate() throws {
        do {
            let document = try JSONDocument(Array(parameters.utf8), maximumDepth: Message.maximumDepth - 1)
            guard document.root.kind == .object else {
                throw ValidationError("The parameters must be a JSON object, \(Self.example).")
            }
        } catch let error as JSONError {
            throw ValidationError(
                "The parameters \"\(parameters.shortened(to: 32).printable)\" are not a JSON object, \(Self.example): \(error)."
            )
        }
    }

    private static let example = "such as '{\"app\":\"bookary\"}'"

    func run() throws {
        // A daemon that does not answer is noticed here, rather than after the time that a fetch may take.
        _ = try options.client.ask(.status)
        // In valid JSON a line feed occurs only between tokens, where a space means the same.
        let onOneLine = parameters.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
        let line = Request.line(method: method) { $0.value(json: onOneLine) }
        try Output.json(try options.client.ask(line: line, timeout: DaemonClient.fetchTimeout))
    }
}
