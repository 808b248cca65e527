import Glibc
import PromoCore
import PromoDaemon
import PromoWire

/// A change of the address in the user's configuration, and what came of it.
struct ConfigurationChange {
    /// Another end than success, in the words of sysexits.h.
    private enum Problem: Error {
        /// 65: the catalog, or the file.
        case data(ConfigureReport.Refusal)
        /// 73
        case cannotWrite(SystemError)
        /// 75
        case temporary(ConfigureReport.Refusal)
        /// 78
        case configuration(String)
    }

    private let configurationFile: String
    private let cache: String
    private(set) var report = ConfigureReport()
    private(set) var exitCode: Int32 = 0

    /// A change of a file that has not been made yet.
    /// - Parameter cache: the directory in which the daemon finds what was fetched here.
    init(configurationFile: String, cache: String) {
        self.configurationFile = configurationFile
        self.cache = cache
    }

    /// Fetches and checks the catalog, leaves it for the daemon, and writes the address into the file.
    mutating func setUp(_ url: HTTPSURL, caFile: String?, announcing announce: (HTTPSURL) -> Void) {
        attempt { change throws(Problem) in
            let path = caFile.map(Self.absolute)
            if let path, let problem = TrustedCertificates.problem(in: path) {
                throw .data(.init(code: "bad-configuration", message: problem, isLasting: true))
            }
            let configuration = try change.configuration(url, caFile: path)
            announce(url)
            let contents = try change.fetch(url, configuration)
            let values = [("catalog.url", url.normalized)] + (path.map { [("catalog.ca-file", $0)] } ?? [])
            try change.edit { text, path throws(ConfigurationProblem) in
                var text = text ?? ConfigurationEdit.preamble
                for (key, value) in values {
                    text = try ConfigurationEdit.set(key, to: value, in: text, path: path)
                }
                return text
            }
            // If it cannot be left there, the daemon fetches it itself.
            _ = try? CatalogFile.offer(in: PrivateDirectory(path: change.cache)).replace(with: contents)
        }
    }

    /// Takes the address, and the certificates to trust for it, out of the file.
    mutating func remove() {
        attempt { change throws(Problem) in
            try change.edit { text, path throws(ConfigurationProblem) in
                guard var text else { return nil }
                for key in ["catalog.url", "catalog.ca-file"] {
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
        let catalog = FetchedCatalog(name: url.description, bytes: fetched.bytes)
        report.catalog = catalog.report
        if let failure = catalog.failure {
            throw .data(.init(code: failure.code.rawValue, message: failure.message, isLasting: true))
        }
        return CatalogContents(fetched.bytes, of: url, validators: fetched.validators, at: ProcessSetup.now())
    }

    /// What the files say that a daemon reads, so that the fetch is made as it would make it.
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
        _ change: (_ text: String?, _ path: String) throws(ConfigurationProblem) -> String?
    ) throws(Problem) {
        do {
            let file = try UserConfigurationFile(path: configurationFile)
            report.file = file.path
            guard let text = try change(file.text, file.path), text != file.text else { return }
            try file.replace(with: text)
            report.isChanged = true
        } catch let problem as ConfigurationProblem {
            throw .data(.init(code: "bad-configuration", message: "\(problem)", isLasting: true))
        } catch let error as SystemError {
            throw .cannotWrite(error)
        } catch {
            throw .configuration("\(error)")
        }
    }

    /// The daemon runs elsewhere, so the path must not depend on where this command was typed.
    private static func absolute(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(validatingCString: resolved) ?? path
    }
}
