import CrossPromoKit
import PromoWire

/// What `promod configure` has done to the configuration file, in words.
struct SetupReport {
    private let change: ConfigurationChange
    let report: ConfigureReport

    /// Has the program carry out the change.
    init(of change: ConfigurationChange) throws(Failure) {
        self.change = change
        var writer = JSONWriter()
        change.write(to: &writer)
        let (output, code) = try DaemonProgram.run(
            ["configure"], input: String(decoding: writer.bytes, as: UTF8.self))
        do {
            report = try ConfigureReport(try JSONDocument(output, maximumDepth: 8).root)
        } catch {
            throw Failure(.unreachable, DaemonProgram.unreported("configure", code))
        }
    }

    /// The report line by line, but for a refusal.
    var lines: [String] {
        var lines: [String] = []
        if let catalog = report.catalog {
            let apps = catalog.content.map { "good, \($0.apps.counting("app"))" }
            lines.append("\(catalog.name): \(apps ?? "not a catalog, or one that breaks rules")")
            lines += catalog.errors.map { "  \($0.line)" }
            lines += catalog.warnings.map { "  \($0.position): warning: \($0.text)" }
        }
        guard report.refusal == nil, let file = report.file else { return lines }
        lines.append(done(file))
        if let proxy = report.proxy {
            lines.append(
                change.catalog == nil
                    ? proxy.advice
                    : "config.toml has the proxy of \(proxy.source) now (\(proxy.url)), which is for all catalogs.")
        }
        if change.url.flatMap(HTTPSURL.init)?.host == "raw.githubusercontent.com" {
            lines.append(
                "GitHub limits how often one client may fetch its raw files. If you have many users, publish the catalog "
                    + "with GitHub Pages or behind a CDN.")
        }
        return lines
    }

    /// Why nothing was changed.
    /// - Parameter isListed: whether the catalog's errors stand above.
    func refusal(_ refusal: ConfigureReport.Refusal, isListed: Bool) -> String {
        if isListed, report.catalog?.errors.isEmpty == false {
            return "promod does not accept this catalog, and nothing was changed."
        }
        let code = PromoWire.Failure.Code(rawValue: refusal.code)
        return code.map { PromoWire.Failure($0, refusal.message).advised } ?? refusal.message
    }

    /// What has happened to the file.
    private func done(_ file: String) -> String {
        let isDefault = change.catalog == nil
        switch change.action {
        case .undo:
            let now = report.address.map { "has \($0) now" } ?? "has no address now"
            return "\(file) \(now); \(undoing) exchanges that and what it had before."
        case .set where report.replaced != nil:
            return
                "Replaced \(report.replaced ?? "") in \(file); \(undoing) brings it back. If the same publisher's catalog has moved, "
                + "name the old address there as \(isDefault ? "catalog.formerly" : "formerly"), so that first launches and "
                + "review requests come along."
        case .set, .sample:
            let what = change.action == .sample ? "the sample" : "this address"
            return report.isChanged ? "Wrote \(file)" : "\(file) has \(what) already"
        case .remove where isDefault:
            return report.isChanged ? "Removed it from \(file)" : "There is no address of the catalog in \(file)"
        case .remove:
            return report.isChanged ? "Removed \(file)" : "There is no file \(file)"
        case .hide, .unhide:
            let verb = change.action == .hide ? "Wrote" : "Removed"
            return report.isChanged ? "\(verb) \(file)" : "Nothing to change in \(file)"
        case .printSample:
            return ""
        }
    }

    private var undoing: String { "promoctl setup --undo\(change.catalog.map { " --catalog \($0)" } ?? "")" }
}
