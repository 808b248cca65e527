/// The daemon's process, as `status` reports it.
package struct ProcessStatus: Equatable, Sendable {
    /// promod's version.
    package var version: String
    /// The identifier of this run of the daemon.
    package var epoch: String
    package var pid: Int
    package var startedAt: Timestamp
    /// How many runs before this one ended unexpectedly in a row, as the pause after crashes counts them.
    package var crashes: Int
    package var socketPath: String
    /// The path of the user's configuration file, whether or not it exists; nil from a daemon that does not report it.
    package var configurationPath: String?

    /// Creates a process status from its parts.
    package init(
        version: String, epoch: String, pid: Int, startedAt: Timestamp, crashes: Int = 0, socketPath: String,
        configurationPath: String?
    ) {
        self.version = version
        self.epoch = epoch
        self.pid = pid
        self.startedAt = startedAt
        self.crashes = crashes
        self.socketPath = socketPath
        self.configurationPath = configurationPath
    }
}
