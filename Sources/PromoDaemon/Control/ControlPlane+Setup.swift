import Logging
import PromoCore
import PromoWire

extension ControlPlane {
    /// The plane's access to the outside world; tests replace it.
    package struct Effects: Sendable {
        var origin: any Origin
        /// The wall clock, and the clock by which the ages of catalogs are measured.
        var clock: SteadyClock
        /// Whether the kernel has a route to a global address.
        var isOnline: @Sendable () -> Bool
        /// The monotonic clock.
        var uptime: @Sendable () -> Milliseconds = ProcessSetup.uptime
        var loadConfiguration: @Sendable () throws(BadConfiguration) -> ConfigurationLoader.Loaded
        /// The directories of drop-ins that are watched.
        var dropInDirectories: [String] = []
        var loadDropIns: @Sendable () -> DropInCatalogs
        /// Checks the directories and the sandbox of this process.
        var diagnose: @Sendable () -> [Diagnosis] = { [] }
        /// Called with each configuration that comes into force after the start.
        var configurationChanged: @Sendable (Configuration) -> Void
        var notifier: Notifier
        var logger: Logger
    }

    /// The configuration that a plane starts with.
    package struct InitialConfiguration: Sendable {
        /// The configuration in force; the defaults if it is broken.
        package private(set) var configuration = Configuration()
        private(set) var status: ConfigurationStatus
        /// The file that sets the address of the default catalog, or has an error.
        private(set) var catalogFile: String?
        private(set) var dropIns: DropInCatalogs
        /// What is broken in it; nil if nothing is.
        private(set) var problems: BadConfiguration?

        /// What was loaded.
        package static func loaded(_ loaded: ConfigurationLoader.Loaded) -> Self {
            Self(
                configuration: loaded.configuration, status: ConfigurationStatus(file: loaded.file),
                catalogFile: loaded.catalogFile, dropIns: loaded.dropIns)
        }

        /// It is broken: the cached catalog is served whatever its URL, and nothing is fetched until a reload succeeds.
        package static func broken(
            _ problems: BadConfiguration, file: String, dropIns: DropInCatalogs = DropInCatalogs()
        ) -> Self {
            Self(
                status: ConfigurationStatus(file: file, error: problems.description), catalogFile: file,
                dropIns: dropIns, problems: problems)
        }
    }
}
