import ArgumentParser
import PromoDaemon

/// The configuration's keys as command-line options. Their values are text, because the loader checks them with the same
/// messages as values from the files and the environment.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The catalog's address; without it, the sample is served.", valueName: "https-url"))
    var catalogURL: String?

    @Option(
        help: ArgumentHelp("A PEM file of certificates to trust in addition to the system's.", valueName: "path"),
        completion: .file())
    var catalogCaFile: String?

    @Option(help: ArgumentHelp("Maximum size of the catalog, decompressed. (default: 5242880)", valueName: "bytes"))
    var catalogMaxBytes: String?

    @Option(
        help: ArgumentHelp(
            "The proxy (http, https, socks5 and more) through which the catalog is fetched, or \"direct\" for none. (default: the one of https_proxy or all_proxy)",
            valueName: "url"))
    var catalogProxy: String?

    @Option(
        help: ArgumentHelp(
            "Whether a catalog that lost more than half of its apps is held back. (default: true)", valueName: "boolean"
        ))
    var catalogHoldBack: String?

    @Option(
        help: ArgumentHelp(
            "The keys with which the catalog has to be signed, separated by commas; without it, it need not be.",
            valueName: "keys"))
    var catalogPublicKey: String?

    @Option(help: ArgumentHelp("How long a catalog is fresh. (default: 24h)", valueName: "duration"))
    var refreshInterval: String?

    @Option(
        help: ArgumentHelp(
            "How much before its expiry a catalog may be refreshed. (default: 24h)", valueName: "duration"))
    var refreshSpread: String?

    @Option(
        help: ArgumentHelp("Time limit for the whole exchange with the origin. (default: 30s)", valueName: "duration"))
    var refreshTimeout: String?

    @Option(help: ArgumentHelp("Minimum time between two fetches. (default: 2s)", valueName: "duration"))
    var refreshMinGap: String?

    @Option(help: ArgumentHelp("Minimum delay before a retry. (default: 5s)", valueName: "duration"))
    var retryFloor: String?

    @Option(
        help: ArgumentHelp(
            "Maximum delay before the first retry, doubled after each failure. (default: 60s)",
            valueName: "duration"))
    var retryBase: String?

    @Option(help: ArgumentHelp("Maximum delay before any retry. (default: 1h)", valueName: "duration"))
    var retryCap: String?

    @Option(help: ArgumentHelp("Completed successes needed for a review request. (default: 3)", valueName: "count"))
    var reviewMinCompletions: String?

    @Option(
        help: ArgumentHelp("Minimum days from the first launch to a review request. (default: 7)", valueName: "days"))
    var reviewMinDaysSinceFirstLaunch: String?

    @Option(help: ArgumentHelp("Minimum days between two review requests. (default: 30)", valueName: "days"))
    var reviewMinDaysSinceLastRequest: String?

    @Option(help: ArgumentHelp("Maximum review requests in 365 days; 0 for no limit. (default: 3)", valueName: "count"))
    var reviewMaxPerYear: String?

    @Option(help: ArgumentHelp("Maximum number of open connections. (default: 1024)", valueName: "count"))
    var socketMaxConnections: String?

    @Option(help: ArgumentHelp("Maximum number of event subscribers. (default: 64)", valueName: "count"))
    var socketMaxSubscribers: String?

    @Option(
        help: ArgumentHelp(
            "The lowest level to log, from trace to critical. (default: info)", valueName: "level"),
        completion: .list(ConfigurationKey.logLevels))
    var logLevel: String?

    /// The values that were given, by option name without hyphens.
    var values: [String: String] {
        let values = [
            "catalog-url": catalogURL, "catalog-ca-file": catalogCaFile, "catalog-max-bytes": catalogMaxBytes,
            "catalog-proxy": catalogProxy, "catalog-hold-back": catalogHoldBack,
            "catalog-public-key": catalogPublicKey,
            "refresh-interval": refreshInterval, "refresh-spread": refreshSpread, "refresh-timeout": refreshTimeout,
            "refresh-min-gap": refreshMinGap, "retry-floor": retryFloor, "retry-base": retryBase,
            "retry-cap": retryCap, "review-min-completions": reviewMinCompletions,
            "review-min-days-since-first-launch": reviewMinDaysSinceFirstLaunch,
            "review-min-days-since-last-request": reviewMinDaysSinceLastRequest,
            "review-max-per-year": reviewMaxPerYear, "socket-max-connections": socketMaxConnections,
            "socket-max-subscribers": socketMaxSubscribers, "log-level": logLevel,
        ]
        return values.compactMapValues(\.self)
    }
}
