import Logging
import PromoCore
import PromoWire

extension Keeper {
    /// The keeper's access to the outside world, which tests replace.
    struct Effects: Sendable {
        var origin: any Origin
        /// The wall clock.
        var now: @Sendable () -> Timestamp = ProcessSetup.now
        /// Whether the kernel has a route to a global address.
        var isOnline: @Sendable () -> Bool
        /// The monotonic clock.
        var uptime: @Sendable () -> Milliseconds = ProcessSetup.uptime
        var loadConfiguration: @Sendable () throws(BadConfiguration) -> ConfigurationLoader.Loaded
        /// The environment, in which a proxy may be set.
        var environment: [String: String] = [:]
        /// The directories of catalogs' files that are watched.
        var dropInDirectories: [String] = []
        var loadDropIns: @Sendable () -> DropInCatalogs
        /// Looks at promod's directories and files.
        var look: DiskLook?
        /// Whether the clock is synchronised; an error counts as yes.
        var isClockSynchronized: @Sendable () -> Bool = { ProcessSetup.isClockSynchronized }
        /// Called with each configuration that comes into force after the start.
        var configurationChanged: @Sendable (Configuration) -> Void
        var notifier: Notifier
        var logger: Logger
    }
}
