import CFetch
import CSodium
import CSystemd
import PromoFetch

/// The versions of the libraries that this machine provides, in the form that curl uses.
enum LibraryVersions {
    /// One line; it loads the libraries that the fetching process uses, which the daemon must not do.
    static func line() -> String {
        // The texts belong to the libraries and are copied at once.
        let problem = FetchProcess.loadLibraries().map { "libcurl: \($0);" }
        let fetching = unsafe problem ?? String(cString: promod_fetch_versions())
        let sodium = unsafe String(cString: sodium_version_string())
        let systemd = unsafe promod_systemd_file().map { unsafe String(cString: $0) }
        return "\(fetching) libsodium/\(sodium) \(systemd ?? "no libsystemd")"
    }
}
