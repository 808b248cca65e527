import ArgumentParser
import PromoCore
import PromoDaemon
import PromoPage
import PromoProcess
import PromoWire

/// A web page that shows what people will see of a catalog, before it is published.
struct CatalogPreview {
    private let catalog: AppCatalog
    private let probe: CatalogProbe

    /// A preview whose icons are fetched as the daemon fetches them.
    init(_ catalog: AppCatalog, _ configuration: PromoDaemon.Configuration) {
        self.catalog = catalog
        probe = CatalogProbe(configuration)
    }

    /// Writes the page, and a warning for each app whose icon is none that promod shows, or cannot be fetched.
    /// - Returns: whether all icons are on the page.
    func write(to path: String, language: Language) throws -> Bool {
        var book = IconBook()
        var pictures: [String: IconResult.Picture] = [:]
        let apps = Dictionary(catalog.apps.map { ($0.iconURL, $0.id) }, uniquingKeysWith: { first, _ in first })
        var run = IconRun(apps.sorted { $0.value < $1.value }.map(\.key))
        while let (text, url) = run.next() {
            do throws(Failure) {
                pictures[text] = try picture(at: url, text, &book)
                run.succeeded(url)
            } catch {
                run.failed(url, error)
                StandardError.write("promod: warning: the icon of \(apps[text] ?? ""): \(error.message)".printable)
            }
        }
        for (text, _) in run.skipped {
            StandardError.write(
                "promod: warning: the icon of \(apps[text] ?? "") was not tried, because its host does not answer.")
        }
        let shown = catalog.apps.map { MoreAppsPage.App($0.listed, picture: pictures[$0.iconURL]) }
        try write(MoreAppsPage(shown, in: language), to: path)
        return run.failed == nil
    }

    private func write(_ page: MoreAppsPage, to path: String) throws {
        do {
            try OutputFile(path).replace(with: page.html)
        } catch {
            StandardError.write("promod: \(error)".printable)
            throw ArgumentParser.ExitCode(74)
        }
    }

    private func picture(at url: HTTPSURL, _ text: String, _ book: inout IconBook) throws(Failure) -> IconResult.Picture
    {
        let bytes: [UInt8]
        do {
            bytes = try probe.fetchIcon(url)
        } catch {
            throw error.failure
        }
        let icon = try StoredIcon(bytes, of: url, validators: Validators(), fetchedAt: ProcessSetup.now())
        try book.checkRoom(for: icon, of: text, at: url)
        book.enter(icon, of: text)
        return IconResult.Picture(
            mediaType: icon.format.mediaType, base64: SharedBytes(Base64.encode(bytes)))
    }
}
