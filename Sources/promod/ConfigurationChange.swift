import Glibc
import PromoCore
import PromoDaemon
import PromoProcess
import PromoWire

/// Changes a catalog's address in the user's configuration, and records the outcome.
struct ConfigurationChange {
    /// Why a change failed; each case has an exit code of sysexits.h.
    private enum Problem: Error {
        /// 1: there is nothing to undo.
        case nothing(String)
        /// 65: the catalog or the configuration file is bad.
        case data(ConfigureReport.Refusal)
        /// 73: the configuration file cannot be written.
        case cannotWrite(SystemError)
        /// 75: the fetch failed, but may succeed later.
        case temporary(ConfigureReport.Refusal)
        /// 78: the configuration is broken, so nothing was fetched or changed.
        case configuration(String)
    }

    /// The user's configuration file.
    private let configurationFile: String
    /// The name of the catalog; nil for the default one.
    private let name: String?
    private(set) var report = ConfigureReport()
    private(set) var exitCode: Int32 = 0

    /// Prepares a change without touching any file.
    /// - Parameter catalog: the name of the catalog, which gets a drop-in beside the configuration file; nil for the default one.
    init(configurationFile: String, catalog: String?) {
        self.configurationFile = configurationFile
        name = catalog
    }

    /// The file in which the catalog is configured.
    private var file: String {
        guard let name else { return configurationFile }
        return "\(Self.directory(of: configurationFile))/catalogs.d/\(name).toml"
    }

    /// The prefix of the catalog's keys in its file.
    private var table: String { name == nil ? "catalog." : "" }

    /// What is used for the fetch of an address, and written with it.
    struct Settings {
        var caFile: String?
        var publicKey: PublicKey?
        var proxy: Proxies.Key?
    }

    /// Fetches and checks the catalog, and writes its address into the file.
    mutating func setUp(_ url: HTTPSURL, _ settings: Settings, announcing announce: (HTTPSURL) -> Void) {
        attempt { change throws(Problem) in
            var settings = settings
            settings.caFile = settings.caFile.map(InputFile.absolute)
            let path = settings.caFile
            if let path, let problem = TrustedCertificates.problem(in: path) {
                throw .data(.init(code: "bad-configuration", message: problem, isLasting: true))
            }
            let configuration = try change.configuration(url, settings)
            announce(url)
            let used = try change.fetch(url, configuration)
            let table = change.table
            let values =
                [(table + "url", url.normalized)] + (path.map { [(table + "ca-file", $0)] } ?? [])
                + (settings.publicKey.map { [(table + "public-key", $0.description)] } ?? [])
            var proxy = settings.proxy
            // A service does not see a shell's variables.
            if let used, let proxyURL = used.url, used.source != Proxies.key {
                change.report.proxy = used.status
                proxy = .proxy(proxyURL)
            }
            let isSecret = url.credentials != nil
            let proxies = proxy.map { [(Proxies.key, $0.text)] } ?? []
            let isProxySecret = if case .proxy(let url) = proxy { url.hasCredentials } else { false }
            if change.name == nil {
                // One change, so that undoing it undoes all of it.
                try change.set(proxies + values, in: change.file, isSecret: isSecret || isProxySecret, replacing: url)
            } else {
                if !proxies.isEmpty { try change.set(proxies, in: change.configurationFile, isSecret: isProxySecret) }
                try change.set(values, in: change.file, isSecret: isSecret, replacing: url)
            }
        }
    }

    /// Writes into the file that the sample is the default catalog.
    mutating func setUpSample() {
        attempt { change throws(Problem) in
            _ = try change.configuration(nil, Settings())
            try change.set([("catalog.url", ConfigurationKey.sample)], in: change.file, isSecret: false)
        }
    }

    /// Removes the address of the default catalog, and what was written with it, from its file; of another catalog, the whole file,
    /// which is about nothing else.
    mutating func remove() {
        attempt { change throws(Problem) in
            guard change.name == nil else { return try change.removeFile() }
            try change.edit(change.file) { text, path throws(ConfigurationProblem) in
                guard var text else { return nil }
                for key in ["catalog.url", "catalog.ca-file", "catalog.public-key", "catalog.formerly", Proxies.key] {
                    text = try ConfigurationEdit.remove(key, from: text, path: path)
                }
                return text
            }
        }
    }

    /// Hides a named catalog that a package configures: an empty file of its name counts before the package's.
    mutating func hide() {
        attempt { change throws(Problem) in
            let file = change.file
            change.report.file = file
            guard try !change.isMask(file) else { return }
            guard stat(ofLink: file) == nil else {
                let message =
                    "\(file) configures the catalog itself, so it cannot be hidden; \"promoctl setup --remove --catalog \(change.name ?? "default")\" removes that."
                throw .data(.init(code: "bad-configuration", message: message, isLasting: true))
            }
            try change.edit(file) { _, _ in "# Hides a catalog that a package configures.\n" }
        }
    }

    /// Undoes ``hide()``.
    mutating func unhide() {
        attempt { change throws(Problem) in
            let file = change.file
            change.report.file = file
            if try change.isMask(file) { try change.delete(file) }
        }
    }

    /// Brings back the file as it was before the last change.
    mutating func undo() {
        attempt { change throws(Problem) in
            change.report.file = change.file
            do throws(SystemError) {
                if stat(of: Self.directory(of: change.file)) != nil {
                    let file = try UserConfigurationFile(path: change.file)
                    change.report.file = file.path
                    change.report.isChanged = try file.undo()
                }
            } catch {
                throw .cannotWrite(error)
            }
            guard change.report.isChanged else {
                throw .nothing("There is nothing to undo: no change by \"promoctl setup\" of \(change.file) is known.")
            }
        }
    }

    private func isMask(_ file: String) throws(Problem) -> Bool {
        do throws(SystemError) {
            return try DropInCatalogs.isMask(file)
        } catch {
            throw .cannotWrite(error)
        }
    }

    private mutating func removeFile() throws(Problem) {
        report.file = file
        guard try !isMask(file) else {
            let message = "\(file) hides the catalog; \"promoctl setup --unhide --catalog \(name ?? "")\" has it back."
            throw .data(.init(code: "bad-configuration", message: message, isLasting: true))
        }
        try delete(file)
    }

    private mutating func delete(_ file: String) throws(Problem) {
        do throws(SystemError) {
            guard try FileReader.exists(file) else { return }
            try UserConfigurationFile(path: file).remove()
            report.isChanged = true
        } catch {
            throw .cannotWrite(error)
        }
    }

    private mutating func attempt(_ body: (inout Self) throws(Problem) -> Void) {
        do {
            try body(&self)
        } catch {
            switch error {
            case .nothing(let text):
                report.refusal = .init(code: "nothing-to-undo", message: text, isLasting: true)
                exitCode = 1
            case .data(let refusal): (report.refusal, exitCode) = (refusal, 65)
            case .temporary(let refusal): (report.refusal, exitCode) = (refusal, 75)
            case .cannotWrite(let error):
                report.refusal = .init(code: "not-written", message: "\(error)", isLasting: true)
                exitCode = 73
            case .configuration(let text):
                report.refusal = .init(code: "bad-configuration", message: text, isLasting: true)
                exitCode = PromoDaemon.ExitCode.configuration.rawValue
            }
        }
    }

    private mutating func fetch(
        _ url: HTTPSURL, _ configuration: PromoDaemon.Configuration
    ) throws(Problem) -> Proxies.Used? {
        let fetched: CatalogProbe.Fetched
        do {
            fetched = try CatalogProbe(configuration).fetch(url)
        } catch {
            let refusal = ConfigureReport.Refusal(
                code: error.failure.code.rawValue, message: error.failure.message, isLasting: error.isLasting)
            throw error.isLasting ? .data(refusal) : .temporary(refusal)
        }
        let catalog = FetchedCatalog(
            name: url.description, bytes: fetched.bytes, trust: CatalogTrust(keys: configuration.catalog.publicKeys))
        report.catalog = catalog.report
        if let failure = catalog.failure {
            throw .data(.init(code: failure.code.rawValue, message: failure.message, isLasting: true))
        }
        return fetched.proxy
    }

    /// The configuration that a daemon would load, with this catalog as the default one, so that this fetch behaves like the daemon's.
    private func configuration(_ url: HTTPSURL?, _ settings: Settings) throws(Problem) -> PromoDaemon.Configuration {
        do {
            try ProcessSetup.checkEnvironment()
            let loader = ConfigurationLoader(
                commandLine: [:], environment: ProcessSetup.environment, directories: .ofProcess,
                userFile: configurationFile)
            let loaded = try loader.load()
            var configuration = loaded.configuration
            if let name {
                if let catalog = configuration.catalogs.first(where: { $0.name == name }) {
                    throw Problem.configuration(
                        "[catalogs.\(name)] in \(catalog.file) configures this catalog; change its url there.")
                }
                configuration.catalog =
                    loaded.dropIns.catalogs.first { $0.name == name }?.configuration ?? CatalogConfiguration()
            }
            if let url { configuration.catalog.url = url }
            if let caFile = settings.caFile { configuration.catalog.caFile = caFile }
            if let key = settings.publicKey { configuration.catalog.publicKeys = [key] }
            if let proxy = settings.proxy { configuration.proxies = Proxies(proxy, environment: [:]) }
            return configuration
        } catch let error as BadConfiguration {
            throw .configuration("\(error.description.sentence) \(BrokenFile.remedy(for: nil))")
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .configuration("\(error)")
        }
    }

    /// - Parameter address: the new address of the catalog; the one that it replaces is reported.
    private mutating func set(
        _ values: [(String, String)], in file: String, isSecret: Bool, replacing address: HTTPSURL? = nil
    ) throws(Problem) {
        let key = table + "url"
        var replaced: String?
        defer { report.replaced = replaced }
        try edit(file, isSecret: isSecret) { text, path throws(ConfigurationProblem) in
            var text = text ?? ConfigurationEdit.preamble
            let old = ConfigurationEdit.string(key, in: text, path: path).flatMap(HTTPSURL.init)
            if let old, let address, old.normalized != address.normalized { replaced = old.description }
            for (key, value) in values { text = try ConfigurationEdit.set(key, to: value, in: text, path: path) }
            return text
        }
    }

    private mutating func edit(
        _ written: String, isSecret: Bool = false,
        _ change: (_ text: String?, _ path: String) throws(ConfigurationProblem) -> String?
    ) throws(Problem) {
        do {
            let file = try UserConfigurationFile(path: written)
            report.file = file.path
            let before = try file.text()
            guard let text = try change(before, file.path), OutsideText(text) != before.map({ OutsideText($0) })
            else { return }
            try file.replace(with: text, isSecret: isSecret)
            report.isChanged = true
        } catch let problem as ConfigurationProblem {
            throw .data(.init(code: "bad-configuration", message: "\(problem)", isLasting: true))
        } catch let error as SystemError {
            throw .cannotWrite(error)
        } catch {
            throw .configuration("\(error)")
        }
    }

    private static func directory(of file: String) -> String {
        file.split(separator: "/").dropLast().reduce(into: "") { $0 += "/\($1)" }
    }
}
