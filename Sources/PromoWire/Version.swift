/// The version of promod.
package enum Version {
    /// The version of this build, the same in daemon and clients.
    package static let current = "0.2.0"

    /// The version as a program shows it, which was built as `build` says.
    package static func shown(build: String) -> String {
        build.isEmpty ? "\(current) (not built by packaging/build)" : build
    }
}
