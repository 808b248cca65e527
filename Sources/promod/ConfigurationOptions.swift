import ArgumentParser
import PromoDaemon

/// The configuration's keys as options, all text: the loader checks them, with the same words for every layer.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Where the catalog comes from; without it the sample is served.", valueName: "https-url"))
    var catalogURL: String?

    @Option(
        help: ArgumentHelp("Certificates in PEM to trust beside the system's.", valueName: "path"),
        completion: .file())
    var catalogCaFile: String?

    @Option(help: ArgumentHelp("The largest catalog, decompressed. (default: 5242880)", valueName: "bytes"))
    var catalogMaxBytes: String?

    @Option(help: ArgumentHelp("How long a catalog is fresh. (default: 24h)", valueName: "duration"))
    var refreshInterval: String?

    @Option(help: ArgumentHelp("The longest random delay of a due refresh. (default: 5m)", valueName: "duration"))
    var refreshSpread: String?

    @Option(help: ArgumentHelp("The longest whole exchange with the origin. (default: 30s)", valueName: "duration"))
    var refreshTimeout: String?

    @Option(help: ArgumentHelp("The least time between two attempts. (default: 2s)", valueName: "duration"))
    var refreshMinGap: String?

    @Option(help: ArgumentHelp("The shortest delay before a retry. (default: 5s)", valueName: "duration"))
    var retryFloor: String?

    @Option(
        help: ArgumentHelp(
            "The longest first delay before a retry, doubled each time. (default: 60s)", valueName: "duration"))
    var retryBase: String?

    @Option(help: ArgumentHelp("The longest delay before a retry. (default: 1h)", valueName: "duration"))
    var retryCap: String?

    @Option(help: ArgumentHelp("Completed successes before a review is asked for. (default: 3)", valueName: "count"))
    var reviewMinCompletions: String?

    @Option(help: ArgumentHelp("Days between the first launch and a review request. (default: 7)", valueName: "days"))
    var reviewMinDaysSinceFirstLaunch: String?

    @Option(help: ArgumentHelp("Days between two review requests. (default: 30)", valueName: "days"))
    var reviewMinDaysSinceLastRequest: String?

    @Option(help: ArgumentHelp("Review requests in 365 days, 0 for no limit. (default: 3)", valueName: "count"))
    var reviewMaxPerYear: String?

    @Option(help: ArgumentHelp("Connections that may be open. (default: 1024)", valueName: "count"))
    var socketMaxConnections: String?

    @Option(help: ArgumentHelp("Connections that may follow events. (default: 64)", valueName: "count"))
    var socketMaxSubscribers: String?

    @Option(
        help: ArgumentHelp(
            "The least important messages to log: trace to critical. (default: info)", valueName: "level"),
        completion: .list(ConfigurationKey.logLevels))
    var logLevel: String?

    @OptionGroup(visibility: .hidden)
    var former: FormerConfigurationOptions

    /// What was given, by option name without hyphens.
    var values: [String: String] {
        let values = [
            "catalog-url": catalogURL, "catalog-ca-file": catalogCaFile, "catalog-max-bytes": catalogMaxBytes,
            "refresh-interval": refreshInterval, "refresh-spread": refreshSpread, "refresh-timeout": refreshTimeout,
            "refresh-min-gap": refreshMinGap, "retry-floor": retryFloor, "retry-base": retryBase,
            "retry-cap": retryCap, "review-min-completions": reviewMinCompletions,
            "review-min-days-since-first-launch": reviewMinDaysSinceFirstLaunch,
            "review-min-days-since-last-request": reviewMinDaysSinceLastRequest,
            "review-max-per-year": reviewMaxPerYear, "socket-max-connections": socketMaxConnections,
            "socket-max-subscribers": socketMaxSubscribers, "log-level": logLevel,
        ]
        return values.compactMapValues(\.self).merging(former.values) { current, _ in current }
    }
}

/// Options under the names that they had before.
struct FormerConfigurationOptions: ParsableArguments {
    @Option var refreshMinimumGap: String?
    @Option var reviewMinimumCompletions: String?
    @Option var reviewMinimumDaysSinceFirstLaunch: String?
    @Option var reviewMinimumDaysSinceLastRequest: String?
    @Option var reviewMaximumPerYear: String?

    /// What was given, by option name without hyphens.
    var values: [String: String] {
        let values = [
            "refresh-minimum-gap": refreshMinimumGap, "review-minimum-completions": reviewMinimumCompletions,
            "review-minimum-days-since-first-launch": reviewMinimumDaysSinceFirstLaunch,
            "review-minimum-days-since-last-request": reviewMinimumDaysSinceLastRequest,
            "review-maximum-per-year": reviewMaximumPerYear,
        ]
        return values.compactMapValues(\.self)
    }
}
