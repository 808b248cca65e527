package import Logging
package import PromoWire

extension ControlPlane {
    /// The plane's access to the outside world; tests replace it.
    package struct Effects: Sendable {
        package var origin: any Origin
        /// The wall clock.
        package var now: @Sendable () -> Timestamp
        /// Whether the kernel has a route to a global address.
        package var isOnline: @Sendable () -> Bool
        package var loadConfiguration: @Sendable () throws(BadConfiguration) -> ConfigurationLoader.Loaded
        /// Called with each configuration that comes into force after the start.
        package var configurationChanged: @Sendable (Configuration) -> Void
        package var notifier: Notifier
        package var logger: Logger

        /// Effects from their parts.
        package init(
            origin: any Origin, now: @escaping @Sendable () -> Timestamp, isOnline: @escaping @Sendable () -> Bool,
            loadConfiguration: @escaping @Sendable () throws(BadConfiguration) -> ConfigurationLoader.Loaded,
            configurationChanged: @escaping @Sendable (Configuration) -> Void, notifier: Notifier, logger: Logger
        ) {
            self.origin = origin
            self.now = now
            self.isOnline = isOnline
            self.loadConfiguration = loadConfiguration
            self.configurationChanged = configurationChanged
            self.notifier = notifier
            self.logger = logger
        }
    }

    /// The configuration that a plane starts with.
    package enum InitialConfiguration: Sendable {
        case loaded(ConfigurationLoader.Loaded)
        /// It is broken: the cached catalog is served whatever its URL, and nothing is fetched until a reload succeeds.
        case broken(BadConfiguration, file: String)

        /// The configuration in force; the defaults if it is broken.
        package var configuration: Configuration {
            switch self {
            case .loaded(let loaded): loaded.configuration
            case .broken: Configuration()
            }
        }

        /// The configuration's part of `status`.
        var status: ConfigurationStatus {
            switch self {
            case .loaded(let loaded): ConfigurationStatus(file: loaded.file)
            case .broken(let problems, let file): ConfigurationStatus(file: file, error: problems.description)
            }
        }
    }
}
