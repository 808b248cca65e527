import ArgumentParser
import CrossPromoKit
import PromoWire

struct Call: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Call any method of the protocol, and print its result; without a method, describe them all.",
        discussion: """
            Without a method, --json prints the OpenRPC document, from which generators make typed clients.

            Example: promoctl call list '{"host":"finebill","language":"*"}'

            Example: promoctl call --json | jq -r '.methods[].name'
            """)

    @Argument(
        help: "The method; \"promoctl call\" alone describes them.", completion: .list(MethodTable.all.map(\.name)))
    var method: String?

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
        let method = method ?? ""
        let parameters = MethodTable.method(named: method)?.parameters ?? []
        let required = parameters.filter(\.isRequired)
        let arguments = (required.isEmpty ? Array(parameters.prefix(1)) : required).map {
            "\"\($0.name)\":\($0.schema.example)"
        }
        return
            "For example: promoctl call \(method.shortened().printable) '{\(arguments.joined(separator: ","))}'"
    }

    func run() throws {
        guard let method else { return try describe() }
        // A daemon that does not answer is noticed here, rather than after the time that a fetch may take.
        _ = try options.client.ask(.status)
        // In valid JSON a line feed occurs only between tokens, where a space means the same.
        let onOneLine = parameters.utf8.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
        let line = Request.line(method: method) { $0.value(json: onOneLine) }
        try Output.json(try options.client.ask(line: line, timeout: DaemonClient.fetchTimeout))
    }

    /// Prints the methods of the running promod, or with `--json` its OpenRPC document.
    private func describe() throws {
        let document = try options.client.ask(.discover)
        if options.json { return try Output.json(document) }
        let terminal = Terminal.standardOutput
        for method in document["methods"]?.elements.map(\.self) ?? [] {
            let parameters = method["params"]?.elements.map(\.self) ?? []
            let names = parameters.map { Self.text($0, "name") + ($0["required"]?.boolean == true ? "" : "?") }
            let name = Self.text(method, "name").printable
            let lines = "\(name) {\(names.joined(separator: ", ").printable)}".wrapped(
                to: terminal.columns.map { $0 - 4 })
            // The name is never broken.
            let first = Style.bold.applied(to: name, on: terminal) + (lines.first ?? "").dropFirst(name.count)
            try Output.lines([first] + lines.dropFirst().map { "    " + $0 })
            try paragraph(Self.text(method, "summary"), on: terminal)
            for parameter in parameters {
                try paragraph("\(Self.text(parameter, "name")): \(Self.text(parameter, "description"))", on: terminal)
            }
            try Output.line("")
        }
    }

    private static func text(_ value: JSONValue, _ member: String) -> String { value[member]?.outsideText?.text ?? "" }

    private func paragraph(_ text: String, on terminal: Terminal) throws {
        try Output.lines(text.printable.indented(by: 4, in: terminal.columns))
    }
}
