import ArgumentParser
import Glibc
import PromoCore
import PromoDaemon
import PromoFetch
import PromoOptions
import PromoProcess
import PromoWire

/// Carries out a change of the user's configuration, and reports the result.
struct Configurator {
    private typealias Refusal = ConfigureReport.Refusal

    private let change: ConfigurationChange
    /// The user's configuration file.
    private let configurationFile: String
    private(set) var report = ConfigureReport()

    /// Carries out the change.
    init(_ change: ConfigurationChange) {
        self.change = change
        configurationFile = change.file ?? Directories.ofProcess.configurationFile
        report.file = file
        do {
            try perform()
        } catch {
            report.refusal = Refusal(error)
        }
    }

    /// The file in which the catalog is configured; for the default catalog, the configuration file.
    private var file: String {
        change.catalog.map { configurationFile.directory + "/catalogs.d/\($0).toml" } ?? configurationFile
    }

    /// The prefix of the catalog's keys in its file.
    private var table: String { change.catalog == nil ? "catalog." : "" }

    private mutating func perform() throws {
        switch change.action {
        case .set:
            try setUp()
        case .sample:
            _ = try configuration()
            try edit(file, [("catalog.url", ConfigurationKey.sample)])
        case .remove where change.catalog == nil:
            let keys = ["catalog.url", "catalog.ca-file", "catalog.formerly", Proxies.key]
            try edit(file, keys.map { ($0, nil) })
        case .remove:
            guard try !DropInCatalogs.isMask(file) else {
                throw refused("\(file) hides the catalog; \"promoctl setup --unhide\(option)\" has it back.")
            }
            try removeFile()
        case .hide:
            guard try !DropInCatalogs.isMask(file) else { return }
            guard stat(ofLink: file) == nil else {
                throw refused(
                    "\(file) configures the catalog itself, so it cannot be hidden; \"promoctl setup --remove\(option)\" removes that."
                )
            }
            try UserConfigurationFile(path: file).replace(
                with: "# Hides a catalog that a package configures.\n", isSecret: false)
            report.isChanged = true
        case .unhide:
            if try DropInCatalogs.isMask(file) { try removeFile() }
        case .undo:
            try undo()
        case .printSample:
            report.sample = String(decoding: SampleCatalog.bytes, as: UTF8.self)
        }
    }

    private func refused(_ message: String) -> Refusal { Refusal(code: "bad-configuration", message: message) }

    private var option: String { change.catalog.map { " --catalog \($0)" } ?? "" }

    // MARK: An address

    /// Fetches and checks the catalog, and writes its address and what goes with it.
    private mutating func setUp() throws {
        guard let url = change.url.flatMap(HTTPSURL.init) else {
            throw ValidationError(HTTPSURL.refusal(of: change.url ?? ""))
        }
        try OptionValue.check(proxy: change.proxy)
        let caFile = change.caFile.map(InputFile.absolute)
        var proxy = change.proxy.flatMap(Proxies.Key.init)
        if let caFile, let problem = TrustedCertificates.problem(in: caFile) { throw refused(problem) }
        var configuration = try configuration()
        configuration.catalog.url = url
        if let caFile { configuration.catalog.caFile = caFile }
        if let proxy { configuration.proxies = Proxies(proxy, environment: [:]) }
        // A service does not see a shell's variables.
        if let used = try fetch(url, configuration), let address = used.url, used.source != Proxies.key {
            report.proxy = used.status
            proxy = .proxy(address)
        }
        let proxies = proxy.map { [(Proxies.key, $0.text)] } ?? []
        let values = [("url", url.normalized), ("ca-file", caFile)].compactMap { name, value in
            value.map { (table + name, $0) }
        }
        if change.catalog == nil {
            // In one change, so that one undo reverts all of it.
            try edit(file, proxies + values)
        } else {
            if !proxies.isEmpty { try edit(configurationFile, proxies) }
            try edit(file, values)
        }
    }

    private mutating func fetch(_ url: HTTPSURL, _ configuration: PromoDaemon.Configuration) throws -> UsedProxy? {
        let fetched = try CatalogProbe(configuration).fetch(url)
        let catalog = FetchedCatalog(name: url.description, bytes: fetched.bytes)
        report.catalog = catalog.report
        if let failure = catalog.failure { throw Refusal(code: failure.code.rawValue, message: failure.message) }
        return fetched.proxy
    }

    /// The configuration that a daemon would load, with this catalog as the default one, so that it is fetched as the daemon would.
    private func configuration() throws -> PromoDaemon.Configuration {
        let loaded = try ConfigurationLoader.ofProcess(userFile: configurationFile).load()
        var configuration = loaded.configuration
        guard let name = change.catalog else { return configuration }
        if let catalog = configuration.catalogs.first(where: { $0.name == name }) {
            throw refused("[catalogs.\(name)] in \(catalog.file) configures this catalog; change its url there.")
        }
        configuration.catalog =
            loaded.dropIns.catalogs.first { $0.name == name }?.configuration ?? CatalogConfiguration()
        return configuration
    }

    // MARK: The file

    /// Writes values into a file, and removes the keys whose value is nil.
    private mutating func edit(_ written: String, _ values: [(key: String, value: String?)]) throws {
        let file = try UserConfigurationFile(path: written)
        report.file = file.path
        let before = try file.text()
        let old = before.flatMap { ConfigurationEdit.string(table + "url", in: $0, path: file.path) }
        let isRemoval = values.allSatisfy { $0.value == nil }
        let text = try values.reduce(before ?? (isRemoval ? "" : ConfigurationEdit.preamble)) { text, change in
            try ConfigurationEdit.set(change.key, to: change.value, in: text, path: file.path)
        }
        guard OutsideText(text) != OutsideText(before ?? "") else { return }
        let texts = values.compactMap(\.value)
        let isSecret = texts.contains {
            HTTPSURL($0)?.credentials != nil || ProxyURL($0, isVariable: false)?.hasCredentials == true
        }
        try file.replace(with: text, isSecret: isSecret)
        report.isChanged = true
        let new = values.first { $0.key == table + "url" }?.value.flatMap(HTTPSURL.init)
        if let new, let old = old.flatMap(HTTPSURL.init), old.normalized != new.normalized {
            report.replaced = old.description
        }
    }

    private mutating func removeFile() throws {
        guard try FileReader.exists(file) else { return }
        try UserConfigurationFile(path: file).remove()
        report.isChanged = true
    }

    private mutating func undo() throws {
        if stat(of: file.directory) != nil {
            let file = try UserConfigurationFile(path: file)
            report.file = file.path
            report.isChanged = try file.undo()
            let address = try? file.text().flatMap {
                ConfigurationEdit.string(table + "url", in: $0, path: file.path)
            }
            report.address = address.flatMap { HTTPSURL($0)?.description ?? "the sample" }
        }
        guard report.isChanged else {
            throw Refusal(
                code: "nothing-to-undo",
                message: "There is nothing to undo: no change by \"promoctl setup\" of \(file) is known.")
        }
    }
}

extension ConfigureReport.Refusal {
    /// The refusal for an error.
    fileprivate init(_ error: any Error) {
        switch error {
        case let refusal as Self:
            self = refusal
        case let refusal as CatalogProbe.Refusal:
            self.init(
                code: refusal.failure.code.rawValue, message: refusal.failure.message, isLasting: refusal.isLasting)
        case is SystemError:
            self.init(code: "not-written", message: "\(error)")
        case is ValidationError:
            self.init(code: "usage", message: "\(error)")
        case let bad as BadConfiguration:
            self.init(
                code: "bad-configuration",
                message: "\(bad.description.sentence) \(BrokenFile.remedy(for: nil))")
        default:
            self.init(code: "bad-configuration", message: "\(error)")
        }
    }
}
