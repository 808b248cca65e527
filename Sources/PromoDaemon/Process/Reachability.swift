import CLinux

/// Whether this machine can reach the internet.
enum Reachability {
    /// Whether the kernel has a route to a global address in either family; it takes microseconds and sends nothing.
    static func isOnline() -> Bool {
        promod_has_global_route() != 0
    }
}
