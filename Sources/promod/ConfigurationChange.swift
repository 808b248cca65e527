import PromoCore
import PromoDaemon
import PromoProcess
import PromoWire

/// Changes the catalog's address in the user's configuration, and records the outcome.
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

    private let configurationFile: String
    private let cache: String
    private(set) var report = ConfigureReport()
    private(set) var exitCode: Int32 = 0

    /// Prepares a change without touching any file.
    /// - Parameter cache: the daemon's cache directory, where the fetched catalog is left for it.
    init(configurationFile: String, cache: String) {
        self.configurationFile = configurationFile
        self.cache = cache
    }

    /// Fetches and checks the catalog, writes its address into the file, and leaves the catalog for the daemon.
    mutating func setUp(_ url: HTTPSURL, caFile: String?, announcing announce: (HTTPSURL) -> Void) {
        attempt { change throws(Problem) in
            let path = caFile.map(Self.absolute)
            if let path, let problem = TrustedCertificates.problem(in: path) {
                throw .data(.init(code: "bad-configuration", message: problem, isLasting: true))
            }
            let configuration = try change.configuration(url, caFile: path)
            announce(url)
            let contents = try change.fetch(url, configuration)
            var values = [("catalog.url", url.normalized)] + (path.map { [("catalog.ca-file", $0)] } ?? [])
            var isSecret = url.credentials != nil
            // A service does not see a shell's variables.
            if let proxy = try? configuration.proxies.proxy(for: url), proxy.source != Proxies.key {
                values.append((Proxies.key, proxy.url.text))
                isSecret = isSecret || proxy.url.credentials != nil
                change.report.proxy = ProxyStatus(url: proxy.url.description, source: proxy.source)
            }
            try change.edit(isSecret: isSecret) { text, path throws(ConfigurationProblem) in
                var text = text ?? ConfigurationEdit.preamble
                for (key, value) in values {
                    text = try ConfigurationEdit.set(key, to: value, in: text, path: path)
                }
                return text
            }
            // If this fails, the daemon fetches the catalog itself.
            _ = try? CatalogFile.offer(in: PrivateDirectory(path: change.cache)).replace(with: contents)
        }
    }

    /// Removes `catalog.url`, `catalog.ca-file` and `catalog.proxy` from the file.
    mutating func remove() {
        attempt { change throws(Problem) in
            try change.edit { text, path throws(ConfigurationProblem) in
                guard var text else { return nil }
                for key in ["catalog.url", "catalog.ca-file", Proxies.key] {
                    text = try ConfigurationEdit.remove(key, from: text, path: path)
                }
                return text
            }
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
    ) throws(Problem) -> CatalogContents {
        let fetched: (bytes: [UInt8], validators: Validators)
        do {
            fetched = try CatalogProbe(configuration, now: ProcessSetup.now).fetch(url)
        } catch {
            let refusal = ConfigureReport.Refusal(
                code: error.failure.code.rawValue, message: error.failure.message, isLasting: error.isLasting)
            throw error.isLasting ? .data(refusal) : .temporary(refusal)
        }
        let catalog = FetchedCatalog(
            name: url.description, bytes: fetched.bytes, trust: CatalogTrust(keys: configuration.publicKeys))
        report.catalog = catalog.report
        if let failure = catalog.failure {
            throw .data(.init(code: failure.code.rawValue, message: failure.message, isLasting: true))
        }
        return CatalogContents(fetched.bytes, of: url, validators: fetched.validators, at: ProcessSetup.now())
    }

    /// The configuration that a daemon would load, so that this fetch behaves like the daemon's.
    private func configuration(_ url: HTTPSURL, caFile: String?) throws(Problem) -> PromoDaemon.Configuration {
        do {
            try ProcessSetup.checkEnvironment()
            let loader = ConfigurationLoader(
                commandLine: [:], environment: ProcessSetup.environment, directories: .ofProcess,
                userFile: configurationFile)
            var configuration = try loader.load().configuration
            configuration.catalogURL = url
            if let caFile { configuration.caFile = caFile }
            return configuration
        } catch let error as BadConfiguration {
            throw .configuration(error.lines.joined(separator: "\n"))
        } catch {
            throw .configuration("\(error)")
        }
    }

    private mutating func edit(
        isSecret: Bool = false,
        _ change: (_ text: String?, _ path: String) throws(ConfigurationProblem) -> String?
    ) throws(Problem) {
        do {
            let file = try UserConfigurationFile(path: configurationFile)
            report.file = file.path
            guard let text = try change(file.text, file.path), text != file.text else { return }
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

    /// Makes a path absolute, because the daemon runs in another working directory.
    private static func absolute(_ path: String) -> String {
        (try? String(resolving: path)) ?? path
    }
}
