import PromoCore
import PromoDaemon
import PromoPage
import PromoProcess
import PromoWire

/// A catalog with its pictures, as people will see it after its publication.
struct CatalogPreview {
    /// The time that all icons together may take.
    private static let patience: Milliseconds = 120_000

    private let catalog: AppCatalog
    private let probe: CatalogProbe
    private var pictures: [String: IconResult.Picture] = [:]
    /// The problems of icons that cannot be fetched or that promod does not show.
    private(set) var problems: [String] = []

    /// Fetches the icons as the daemon does, one after another.
    init(_ catalog: AppCatalog, _ configuration: PromoDaemon.Configuration) {
        self.catalog = catalog
        probe = CatalogProbe(configuration)
        var book = IconBook()
        let apps = Dictionary(catalog.apps.map { ($0.iconURL, $0.id) }, uniquingKeysWith: { first, _ in first })
        var run = IconRun(apps.sorted { $0.value < $1.value }.map(\.key))
        let deadline = ProcessSetup.uptime() + Self.patience
        var count = 0
        while ProcessSetup.uptime() < deadline, let (text, url) = run.next() {
            count += 1
            do throws(Failure) {
                pictures[text] = try picture(at: url, text, &run, &book)
            } catch {
                problems.append("The icon of \(apps[text] ?? ""): \(error.message)")
            }
        }
        let rest = apps.count - count - run.skipped.count
        if rest > 0 { problems.append("The time for icons ended before \(rest.counting("icon")) could be tried.") }
        problems += run.skipped.map {
            "The icon of \(apps[$0.text] ?? "") was not tried, because its host failed before."
        }
    }

    /// Writes the page.
    func write(to path: String, language: Language) throws {
        let shown = catalog.apps.map { MoreAppsPage.App($0.listed(in: language), picture: pictures[$0.iconURL]) }
        do {
            try OutputFile(path).replace(with: MoreAppsPage(shown, in: language).html)
        } catch {
            throw CommandFailure(74, "\(error)")
        }
    }

    private func picture(
        at url: HTTPSURL, _ text: String, _ run: inout IconRun, _ book: inout IconBook
    ) throws(Failure) -> IconResult.Picture {
        let bytes: [UInt8]
        do {
            bytes = try probe.fetchIcon(url)
            run.succeeded(url)
        } catch {
            run.failed(
                url, error.failure, httpStatus: error.reply.httpStatus,
                retryAfter: error.reply.retryAfter(now: ProcessSetup.now()))
            throw error.failure
        }
        let icon = try StoredIcon(bytes, of: url, validators: Validators(), fetchedAt: ProcessSetup.now())
        try book.checkRoom(for: icon, of: text, at: url)
        book.enter(icon, of: text)
        return IconResult.Picture(
            mediaType: icon.format.mediaType, base64: Base64.encode(bytes))
    }
}
