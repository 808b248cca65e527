/// The process as `status` shows it.
package struct ProcessStatus: Equatable, Sendable {
    /// promod's version.
    package var version: String
    /// The name of this start of the daemon.
    package var epoch: String
    package var pid: Int
    package var startedAt: Timestamp
    package var socketPath: String
    /// The user's configuration file, whether it is there or not; nil from a promod that does not say.
    package var configurationPath: String?

    /// A process with its parts.
    package init(
        version: String, epoch: String, pid: Int, startedAt: Timestamp, socketPath: String, configurationPath: String?
    ) {
        self.version = version
        self.epoch = epoch
        self.pid = pid
        self.startedAt = startedAt
        self.socketPath = socketPath
        self.configurationPath = configurationPath
    }
}
