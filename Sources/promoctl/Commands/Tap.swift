import ArgumentParser
import CrossPromoKit
import FoundationEssentials
import PromoSystem
import PromoWire

struct Tap: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Report a tap on an app, and print where to go.",
        discussion: """
            Prints the address of the app's page in the store. Without a network it prints a message on standard error, and \
            exits with 75.

            Example: promoctl tap bookary --host finebill --open
            """)

    @OptionGroup var app: AppArgument
    @OptionGroup var host: HostOption

    @Flag(help: "Open the page with xdg-open, or print its address if that fails.")
    var open = false

    @OptionGroup var catalog: CatalogOption
    @OptionGroup var options: CommonOptions

    func run() throws {
        let parameters = TapParameters(app: app.app, host: host.host, language: .ofProcess)
        let answer = try options.ask(.tap(parameters), of: catalog.reference, as: TapResult.self)
        if options.json { try Output.json(answer.json) }
        if let message = answer.result.offlineMessage {
            throw CommandFailure(.tryLater, options.json ? nil : message)
        }
        let isOpened = open && StorePage.open(answer.result.storeURL)
        if !isOpened, !options.json { try Output.line(answer.result.storeURL) }
    }
}

/// A page in the store, to which a person is sent.
enum StorePage {
    /// Opens a page on the desktop.
    /// - Returns: whether that succeeded; if not, a notice says that the address follows.
    static func open(_ address: String) -> Bool {
        guard let url = URL(string: address), url.scheme == "https" else {
            Output.note("promoctl: The page is not opened, because its address is not https:")
            return false
        }
        if StoreOpener.openNow(url) { return true }
        Output.note("promoctl: xdg-open could not open the page; here is its address.")
        return false
    }
}
