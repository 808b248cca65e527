import Glibc
import PromoCore
import PromoDaemon
import PromoProcess
import PromoWire

/// Changes a catalog's address in the user's configuration, and records the outcome.
struct ConfigurationChange {
    /// Why a change failed; each case has an exit code of sysexits.h.
    private enum Problem: Error {
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

    /// Fetches and checks the catalog, and writes its address into the file.
    mutating func setUp(_ url: HTTPSURL, caFile: String?, announcing announce: (HTTPSURL) -> Void) {
        attempt { change throws(Problem) in
            let path = caFile.map(InputFile.absolute)
            if let path, let problem = TrustedCertificates.problem(in: path) {
                throw .data(.init(code: "bad-configuration", message: problem, isLasting: true))
            }
            let configuration = try change.configuration(url, caFile: path)
            announce(url)
            let proxy = try change.fetch(url, configuration)
            let table = change.table
            let values = [(table + "url", url.normalized)] + (path.map { [(table + "ca-file", $0)] } ?? [])
            // A service does not see a shell's variables.
            if let proxy, let proxyURL = proxy.url, proxy.source != Proxies.key {
                change.report.proxy = proxy.status
                try change.set(
                    [(Proxies.key, proxyURL.text)], in: change.configurationFile, isSecret: proxyURL.hasCredentials)
            }
            try change.set(values, in: change.file, isSecret: url.credentials != nil)
        }
    }

    /// Writes into the file that the sample is the default catalog.
    mutating func setUpSample() {
        attempt { change throws(Problem) in
            _ = try change.configuration(nil, caFile: nil)
            try change.set([("catalog.url", ConfigurationKey.sample)], in: change.file, isSecret: false)
        }
    }

    /// Removes the address, the certificates and the proxy of the default catalog from its file; of another catalog, the whole file,
    /// which is about nothing else.
    mutating func remove() {
        attempt { change throws(Problem) in
            guard change.name == nil else { return try change.removeFile() }
            try change.edit(change.file) { text, path throws(ConfigurationProblem) in
                guard var text else { return nil }
                for key in ["catalog.url", "catalog.ca-file", "catalog.formerly", Proxies.key] {
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
                    "\(file) configures the catalog itself, so it cannot be hidden; \"promoctl setup --remove\" removes that."
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
            try PrivateDirectory(path: Self.directory(of: file)).remove("\(name ?? "").toml")
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
    private func configuration(_ url: HTTPSURL?, caFile: String?) throws(Problem) -> PromoDaemon.Configuration {
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
            if let caFile { configuration.catalog.caFile = caFile }
            return configuration
        } catch let error as BadConfiguration {
            throw .configuration(error.lines.joined(separator: "\n"))
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .configuration("\(error)")
        }
    }

    private mutating func set(_ values: [(String, String)], in file: String, isSecret: Bool) throws(Problem) {
        try edit(file, isSecret: isSecret) { text, path throws(ConfigurationProblem) in
            var text = text ?? ConfigurationEdit.preamble
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
            guard let text = try change(file.text, file.path),
                OutsideText(text) != file.text.map({ OutsideText($0) })
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
