import CFetch
import CSodium
import PromoDaemon

/// The versions of this machine's libraries, in the form of curl.
enum LibraryVersions {
    /// All versions on one line. Loads the libraries of the fetching process, which the daemon must not do.
    static func line() -> String {
        // The libraries own the texts, which are copied at once.
        let problem = FetchProcess.loadLibraries().map { "libcurl: \($0);" }
        let fetching = unsafe problem ?? String(cString: promod_fetch_versions())
        let sodium = unsafe String(cString: sodium_version_string())
        return "\(fetching) libsodium/\(sodium)"
    }
}
