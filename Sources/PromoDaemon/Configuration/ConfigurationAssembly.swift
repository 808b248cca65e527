import Glibc
import PromoCore
import PromoSystem
import PromoWire

/// The configuration and the problems of the layers that have been read so far.
struct ConfigurationAssembly {
    private(set) var configuration = Configuration()
    /// The default catalog's source on the command line; nil for that of its drop-in.
    private(set) var source: CatalogSettings.Source?
    /// The place of each value that is set.
    private(set) var sources: ConfigurationLoader.Sources = [:]
    /// The file that overrides all others; nil if there is no file.
    private(set) var file: String?
    private(set) var bad = BadConfiguration()

    private static let commandLine = "command line"

    mutating func add(file: String, _ read: ConfigurationLoader.ReadFile) {
        do {
            guard let bytes = try read(file, ConfigurationFile.maximumBytes) else {
                if stat(ofLink: file) != nil { bad.add(at: file, "it is a link to a file that does not exist") }
                return
            }
            self.file = file
            for entry in try ConfigurationFile(bytes, path: file).entries { add(entry, of: file) }
        } catch let problem as ConfigurationProblem {
            bad.add(at: problem.place, problem.message)
        } catch {
            let error = error as? SystemError
            bad.isTemporary = bad.isTemporary || error?.isTemporary == true
            bad.add(at: file, error?.reason ?? "the file cannot be read")
        }
    }

    private mutating func add(_ entry: ConfigurationFile.Entry, of file: String) {
        let place = "\(file):\(entry.line)"
        if entry.name.hasPrefix("catalog.") {
            return bad.add(
                at: place,
                "\(entry.name) is not a key of config.toml: put the catalog's keys into catalogs.d/default.toml, as in url = \"https://…\""
            )
        }
        guard !set(entry.name, to: entry.value, at: place) else { return }
        unknown(entry.name, at: place, among: ConfigurationKeys.daemon.map(\.name))
    }

    mutating func add(commandLine: [String: String]) {
        for (name, value) in commandLine.sorted(by: { $0.key < $1.key })
        where !set(name, to: .untyped(OutsideText(value)), at: Self.commandLine) {
            unknown(name, at: Self.commandLine, among: ConfigurationKeys.daemon.map(\.name))
        }
    }

    /// Sets a value, or adds its problem.
    /// - Returns: false if there is no key of this name.
    private mutating func set(_ name: String, to value: ConfigurationValue, at place: String) -> Bool {
        if name == ConfigurationKeys.address, let key = ConfigurationKeys.catalog.first(where: { $0.name == "url" }) {
            var settings = CatalogSettings()
            note(key.set(value, &settings), name, key.refusal(value), at: place)
            source = settings.source
        } else if let key = ConfigurationKeys.daemon.first(where: { $0.name == name }) {
            note(key.set(value, &configuration), name, key.refusal(value), at: place)
        } else {
            return false
        }
        return true
    }

    private mutating func note(_ isSet: Bool, _ name: String, _ takes: String, at place: String) {
        if isSet { sources[name] = place } else { bad.add(at: place, "\(name) takes \(takes)") }
    }

    private mutating func unknown(_ name: String, at place: String, among names: [String]) {
        bad.addUnknown(
            name, at: place, of: "the configuration", among: names, within: 3,
            "promod --print-configuration lists the keys")
    }

    /// Checks the file whose apps the sample has.
    mutating func check(catalogFile: String, _ readFile: ConfigurationLoader.ReadFile) {
        do {
            let bytes = try readFile(catalogFile, AppCatalog.maximumBytes)
            if let bytes { _ = try AppCatalog(bytes) } else { bad.add(at: catalogFile, "there is no such file") }
        } catch {
            let reason = (error as? CatalogError)?.failure.message ?? (error as? SystemError)?.reason
            bad.add(at: catalogFile, reason ?? "\(error)")
        }
    }

    /// Checks the file of certificates.
    mutating func checkCertificates(_ readFile: ConfigurationLoader.ReadFile) {
        let name = "network.ca-file"
        guard let path = configuration.caFile, let problem = TrustedCertificates.problem(in: path, readFile) else {
            return
        }
        bad.add(at: sources[name] ?? "defaults", "\(name) \(problem)")
    }
}
