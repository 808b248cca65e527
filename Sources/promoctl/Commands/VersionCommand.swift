import ArgumentParser
import CrossPromoKit
import PromoWire

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Show the versions of promoctl and of the running promod.",
        discussion: "Example: promoctl version --json")

    @OptionGroup var options: CommonOptions

    func run() throws {
        let status = try? options.status()
        if options.json {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("promoctl", Version.current)
                writer.member("promod", status?.process.version)
            }
            return try Output.line(String(decoding: writer.bytes, as: UTF8.self))
        }
        try Output.line("promoctl \(Version.current)")
        let daemon = status.map { "promod \($0.process.version.printable), pid \($0.process.pid)" }
        try Output.line(daemon ?? "promod cannot be reached")
    }
}
