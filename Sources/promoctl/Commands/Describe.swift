import ArgumentParser
import CrossPromoKit
import PromoWire

struct Describe: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Describe the protocol's methods; with --json, as the OpenRPC document.",
        discussion: "Example: promoctl describe --json | jq -r '.methods[].name'")

    @OptionGroup var options: CommonOptions

    func run() throws {
        let document = try options.client.ask(.discover)
        if options.json { return try Output.json(document) }
        let terminal = Terminal.standardOutput
        for method in document["methods"]?.elements.map(\.self) ?? [] {
            let parameters = method["params"]?.elements.map(\.self) ?? []
            let names = parameters.map {
                ($0["name"]?.outsideText?.text ?? "") + ($0["required"]?.boolean == true ? "" : "?")
            }
            let name = method["name"]?.outsideText?.text.printable ?? ""
            let lines = "\(name) {\(names.joined(separator: ", ").printable)}".wrapped(
                to: terminal.columns.map { $0 - 4 })
            // The name is never broken.
            let first = Style.bold.applied(to: name, on: terminal) + (lines.first ?? "").dropFirst(name.count)
            try Output.lines([first] + lines.dropFirst().map { "    " + $0 })
            try paragraph(method["summary"]?.outsideText?.text ?? "", on: terminal)
            for parameter in parameters {
                let text =
                    "\(parameter["name"]?.outsideText?.text ?? ""): \(parameter["description"]?.outsideText?.text ?? "")"
                try paragraph(text, on: terminal)
            }
            try Output.line("")
        }
    }

    private func paragraph(_ text: String, on terminal: Terminal) throws {
        let indentation = "    "
        let lines = text.printable.wrapped(to: terminal.columns.map { $0 - indentation.count })
        try Output.lines(lines.map { indentation + $0 })
    }
}
