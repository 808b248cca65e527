/// The version of promod.
package enum Version {
    /// The version of this build, the same in daemon and clients.
    package static let current = "0.1.0"
}
