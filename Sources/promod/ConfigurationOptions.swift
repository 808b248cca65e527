import ArgumentParser
import PromoDaemon

/// The configuration's keys on the command line. Their values are text, which the loader checks like those from files and the
/// environment.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The catalog's address, or \"sample\".", valueName: "https-url"))
    var catalogURL: String?

    @Flag(help: "Serve the sample that comes with promod, to look around; the same as --catalog-url sample.")
    var sample = false

    @Option(
        help: ArgumentHelp("A PEM file of certificates to trust in addition to the system's.", valueName: "path"),
        completion: .file())
    var catalogCaFile: String?

    @Option(
        help: ArgumentHelp(
            "The proxy (http, https, socks5 and more) through which the catalog is fetched, or \"direct\" for none. (default: the one of https_proxy or all_proxy)",
            valueName: "url"))
    var catalogProxy: String?

    @Option(
        help: ArgumentHelp(
            "The lowest level to log, from trace to critical. (default: info)", valueName: "level"),
        completion: .list(ConfigurationKey.logLevels))
    var logLevel: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set a key of promod.toml(5), such as refresh.interval=1h; once for each key. Those of [catalogs.NAME] can be set in files only.",
            valueName: "key=value"),
        completion: .list(ConfigurationKey.all.map { "\($0.name)=" }))
    var settings: [String] = []

    /// The values that were given, by the names of their keys.
    func values() throws -> [String: String] {
        guard !sample || catalogURL == nil else {
            throw ValidationError("--sample and --catalog-url set the same; leave out one of them.")
        }
        let options = [
            "catalog.url": sample ? ConfigurationKey.sample : catalogURL, "catalog.ca-file": catalogCaFile,
            "catalog.proxy": catalogProxy, "log.level": logLevel,
        ]
        var values = options.compactMapValues(\.self)
        for setting in settings {
            // An address in place of a key may contain a password, which no message may show.
            guard let end = setting.firstIndex(of: "="), !setting[..<end].utf8.contains(UInt8(ascii: ":")) else {
                throw ValidationError("--set takes a key and its value, such as refresh.interval=1h.")
            }
            let key = String(setting[..<end])
            guard values.updateValue(String(setting[end...].dropFirst()), forKey: key) == nil else {
                throw ValidationError("The command line sets \(key) twice.")
            }
        }
        return values
    }
}
