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
        let bytes = Array(parameters.utf8)
        guard bytes.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") else {
            throw ValidationError(
                "The parameters must be a JSON object, which begins with \"{\", and not \"\(parameters.shortened(to: 32).printable)\". \(example)"
            )
        }
        do {
            _ = try JSONDocument(bytes, maximumDepth: Message.maximumDepth - 1)
        } catch {
            let rest = String(decoding: bytes.dropFirst(error.offset), as: UTF8.self).shortened(to: 32).printable
            throw ValidationError(
                "The parameters are not a JSON object: \(error)\(rest.isEmpty ? "" : ", where \"\(rest)\" stands"). \(example)"
            )
        }
    }

    private var example: String {
        let parameters = MethodTable.method(named: method)?.exampleParameters ?? "{}"
        return "For example: promoctl call \(method.shortened().printable) '\(parameters)'"
    }

    func run() throws {
        // A daemon that does not answer is noticed here, rather than after the time that a fetch may take.
        _ = try options.client.ask(.status)
        // In valid JSON a line feed occurs only between tokens, where a space means the same.
        let onOneLine = parameters.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
        let line = Request.line(method: method) { $0.value(json: onOneLine) }
        try Output.json(try options.client.ask(line: line, timeout: DaemonClient.fetchTimeout))
    }
}
