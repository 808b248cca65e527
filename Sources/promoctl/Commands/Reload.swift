import ArgumentParser
import CrossPromoKit
import PromoWire

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make promod read its configuration again.",
        discussion: """
            Exits with 65 if the configuration is broken and the old one stays in force, and with 1 if the new one is in \
            force but a drop-in is broken.

            Example: promod --print-configuration && promoctl reload
            """)

    @OptionGroup var options: CommonOptions

    func run() throws {
        let reply = Result { () throws(PromoError) in try options.client.ask(.command(.reload)) }
        if case .failure(let error) = reply, error.reason != ErrorReason.badConfiguration.rawValue { throw error }
        let broken = try options.status().problems.filter { $0.code == .configuration || $0.code == .catalogFile }
            .map { Finding($0).line }
        if options.json {
            try Output.json(try reply.get())
        } else {
            for sentence in broken { Output.note("promoctl: \(sentence.printable)", isWrapped: true) }
        }
        if case .failure(let error) = reply { throw CommandFailure(.refused, reason: error.reason) }
        guard broken.isEmpty else { throw CommandFailure(.no, options.json ? broken.joined(separator: " ") : nil) }
        if !options.json { try Output.line("The configuration is in force.") }
    }
}
