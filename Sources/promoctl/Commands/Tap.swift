import ArgumentParser
import CrossPromoKit
import FoundationEssentials
import PromoProcess
import PromoWire

struct Tap: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say where to send a person who tapped an app, and count the tap.",
        discussion: """
            Prints the address of the app's page in the store. Without a network it prints nothing, says so in the person's \
            language on standard error, and ends with 75.

            Example: promoctl tap bookary --host finebill --open
            """)

    @OptionGroup var app: AppArgument
    @OptionGroup var host: HostOption

    @Flag(help: "Open the page with xdg-open; where that does not work, print its address.")
    var open = false

    @OptionGroup var options: CommonOptions

    func run() throws {
        let parameters = TapParameters(app: app.app, host: host.host, language: .ofProcess)
        let answer = try options.ask(.tap(parameters)) { json throws(MalformedResult) in try TapResult(json) }
        if options.json { try Output.json(answer.json) }
        if let message = answer.result.offlineMessage {
            throw Failure(.tryLater, options.json ? nil : message)
        }
        if open {
            try StorePage.open(answer.result.storeURL, isAddressPrinted: options.json)
        } else if !options.json {
            try Output.line(answer.result.storeURL.printable)
        }
    }
}

/// A page that a person is sent to.
enum StorePage {
    /// Opens a page on the desktop, or prints its address where there is none.
    static func open(_ address: String, isAddressPrinted: Bool) throws {
        if let url = URL(string: address), url.scheme == "https", StoreOpener.openNow(url) { return }
        Output.note("promoctl: xdg-open could not open the page; here is its address.")
        if !isAddressPrinted { try Output.line(address.printable) }
    }
}

extension Language {
    /// The language of this process's messages.
    static var ofProcess: Language { Language(environment: ProcessEnvironment().variables) }
}
