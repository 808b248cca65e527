import PromoCore
import PromoWire

/// The configuration and the problems of the layers that have been read so far.
struct ConfigurationAssembly {
    private(set) var loaded = ConfigurationLoader.Loaded(configuration: Configuration(), sources: [:])
    private(set) var bad = BadConfiguration()

    /// The variable with the socket's address, which is not a key.
    private static let socketVariable = "PROMOD_SOCKET"
    /// The table of the catalogs besides the default one.
    private static let catalogs = "catalogs"

    mutating func add(file: String, _ read: ConfigurationLoader.ReadFile) {
        do {
            guard let bytes = try read(file, ConfigurationFile.maximumBytes) else { return }
            loaded.file = file
            for entry in try ConfigurationFile(bytes, path: file).entries { add(entry, of: file) }
        } catch let problem as ConfigurationProblem {
            bad.add(at: problem.place, problem.message)
        } catch {
            bad.add(at: file, (error as? SystemError)?.reason ?? "\(error)")
        }
    }

    private mutating func add(_ entry: ConfigurationFile.Entry, of file: String) {
        let place = "\(file):\(entry.line)"
        if entry.name.hasPrefix(Self.catalogs + ".") { return addCatalog(entry, of: file, place: place) }
        let names = ConfigurationKey.all.map(\.name) + ["\(Self.catalogs)."]
        if entry.value == .table, names.contains(where: { $0.hasPrefix(entry.name + ".") }) { return }
        add(entry.name, entry.value, by: \.name, of: place)
    }

    /// Adds an entry of a table `catalogs.NAME`. A key that several files set has the value of the most important one.
    private mutating func addCatalog(_ entry: ConfigurationFile.Entry, of file: String, place: String) {
        let parts = entry.name.split(separator: ".", maxSplits: 2).map(String.init)
        let name = parts.count > 1 ? parts[1] : ""
        if let problem = NamedCatalog.problem(ofName: name) { return bad.add(at: place, problem) }
        let table = "\(Self.catalogs).\(name)"
        guard parts.count > 2 || entry.value == .table else {
            return bad.add(at: place, "\(table) takes a table with the catalog's keys")
        }
        var catalogs = loaded.configuration.catalogs
        let index = catalogs.firstIndex { $0.name == name } ?? catalogs.endIndex
        if index == catalogs.endIndex { catalogs.append(NamedCatalog(name: name, file: file)) }
        catalogs[index].file = file
        if parts.count > 2 { catalogs[index].set(parts[2], to: entry.value, table: table + ".", place: place, &bad) }
        loaded.configuration.catalogs = catalogs
    }

    mutating func add(environment: [String: String]) {
        for (variable, value) in environment.sorted(by: { $0.key < $1.key })
        where variable.hasPrefix("PROMOD_") && variable != Self.socketVariable {
            add(
                variable, .untyped(OutsideText(value)), by: \.variable, of: "environment",
                place: "environment variable \(variable)")
        }
    }

    mutating func add(commandLine: [String: String]) {
        for (name, value) in commandLine.sorted(by: { $0.key < $1.key }) {
            add(name, .untyped(OutsideText(value)), by: \.name, of: "command line")
        }
    }

    /// Adds a value of a key.
    /// - Parameters:
    ///   - names: the name of a key in this layer.
    ///   - place: the place of the value; nil if the layer has only one.
    private mutating func add(
        _ name: String, _ value: ConfigurationValue, by names: KeyPath<ConfigurationKey, String>, of layer: String,
        place: String? = nil
    ) {
        guard let key = ConfigurationKey.all.first(where: { $0[keyPath: names] == name }) else {
            let known = ConfigurationKey.all.map { $0[keyPath: names] }
            let remedy = "promod --print-configuration lists the keys"
            return bad.addUnknown(name, at: layer, of: "the configuration", among: known, within: 3, remedy)
        }
        guard key.set(value, &loaded.configuration) else {
            return bad.add(at: place ?? layer, "\(key.name) takes \(key.takes)")
        }
        loaded.sources[key.name] = place ?? layer
    }

    /// Checks constraints between keys, and the files that keys name.
    mutating func checkTogether(_ readFile: ConfigurationLoader.ReadFile) {
        let (configuration, sources) = (loaded.configuration, loaded.sources)
        for catalog in configuration.catalogs {
            catalog.check(table: "\(Self.catalogs).\(catalog.name).", readFile, &bad)
        }
        if let catalog = configuration.catalogs.dropFirst(NamedCatalog.maximumCount - 1).first {
            bad.add(
                at: catalog.file, "there are more than \(NamedCatalog.maximumCount) catalogs, with the default one")
        }
        loaded.configuration.catalogs.sort { $0.name < $1.name }
        if let path = configuration.catalog.caFile, let problem = TrustedCertificates.problem(in: path, readFile) {
            bad.add(at: sources["catalog.ca-file"] ?? "defaults", problem)
        }
    }
}
