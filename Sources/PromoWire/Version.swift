/// Which promod this is.
package enum Version {
    /// The program's version, the same in daemon and clients.
    package static let current = "0.1.0"
}
