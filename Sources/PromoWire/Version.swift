/// The version of promod.
package enum Version {
    /// The version of the daemon and its clients.
    package static let current = "0.3.0"

    /// Whether a version, such as 0.3.0, came before another one.
    package static func isOlder(_ version: String, than other: String) -> Bool {
        let (own, others) = (numbers(version), numbers(other))
        return own.lexicographicallyPrecedes(others)
    }

    private static func numbers(_ version: String) -> [Int] { version.split(separator: ".").map { Int($0) ?? 0 } }

    /// The version that a program shows: the name of its build, if it has one.
    package static func shown(build: String) -> String {
        build.isEmpty ? "\(current) (not built by packaging/build)" : build
    }
}
