package import Logging
package import PromoCore
package import PromoWire

extension ControlPlane {
    /// The plane's access to the outside world; tests replace it.
    package struct Effects: Sendable {
        package var origin: any Origin
        /// The wall clock.
        package var now: @Sendable () -> Timestamp
        /// The clock by which the ages of catalogs are measured.
        package var clock: SteadyClock
        /// Whether the kernel has a route to a global address.
        package var isOnline: @Sendable () -> Bool
        /// The monotonic clock.
        package var uptime: @Sendable () -> Milliseconds
        package var loadConfiguration: @Sendable () throws(BadConfiguration) -> ConfigurationLoader.Loaded
        /// The directories of drop-ins that are watched.
        package var dropInDirectories: [String]
        /// Reads the drop-ins again.
        package var loadDropIns: @Sendable () -> DropInCatalogs
        /// Checks the directories and the sandbox of this process.
        package var diagnose: @Sendable () -> [Diagnosis]
        /// Called with each configuration that comes into force after the start.
        package var configurationChanged: @Sendable (Configuration) -> Void
        package var notifier: Notifier
        package var logger: Logger

        /// Effects from their parts.
        package init(
            origin: any Origin, now: @escaping @Sendable () -> Timestamp, isOnline: @escaping @Sendable () -> Bool,
            clock: SteadyClock? = nil, uptime: @escaping @Sendable () -> Milliseconds = ProcessSetup.uptime,
            loadConfiguration: @escaping @Sendable () throws(BadConfiguration) -> ConfigurationLoader.Loaded,
            dropInDirectories: [String] = [],
            loadDropIns: @escaping @Sendable () -> DropInCatalogs = { DropInCatalogs() },
            diagnose: @escaping @Sendable () -> [Diagnosis] = { [] },
            configurationChanged: @escaping @Sendable (Configuration) -> Void, notifier: Notifier, logger: Logger
        ) {
            self.origin = origin
            self.now = now
            self.clock =
                clock
                ?? SteadyClock {
                    let now = now()
                    return SteadyClock.Reading(wall: now, boot: now.milliseconds)
                }
            self.isOnline = isOnline
            self.uptime = uptime
            self.loadConfiguration = loadConfiguration
            self.dropInDirectories = dropInDirectories
            self.loadDropIns = loadDropIns
            self.diagnose = diagnose
            self.configurationChanged = configurationChanged
            self.notifier = notifier
            self.logger = logger
        }
    }

    /// The configuration that a plane starts with.
    package enum InitialConfiguration: Sendable {
        case loaded(ConfigurationLoader.Loaded)
        /// It is broken: the cached catalog is served whatever its URL, and nothing is fetched until a reload succeeds.
        case broken(BadConfiguration, file: String, dropIns: DropInCatalogs = DropInCatalogs())

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
            case .broken(let problems, let file, _): ConfigurationStatus(file: file, error: problems.description)
            }
        }

        /// The file that sets the address of the default catalog, or has an error.
        var catalogFile: String? {
            switch self {
            case .loaded(let loaded): loaded.catalogFile
            case .broken(_, let file, _): file
            }
        }

        var dropIns: DropInCatalogs {
            switch self {
            case .loaded(let loaded): loaded.dropIns
            case .broken(_, _, let dropIns): dropIns
            }
        }
    }
}
