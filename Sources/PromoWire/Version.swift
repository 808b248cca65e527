/// The version of promod.
package enum Version {
    /// The version of the daemon and its clients.
    package static let current = "0.3.0"

    /// The version that a program shows: the name of its build, if it has one.
    package static func shown(build: String) -> String {
        build.isEmpty ? "\(current) (not built by packaging/build)" : build
    }
}
