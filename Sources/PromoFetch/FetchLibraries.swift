import CFetch

/// libcurl, OpenSSL and zlib, which only the fetching process loads.
package enum FetchLibraries {
    /// Loads them; nil, or what is missing.
    package static func load() -> String? {
        // The text belongs to the C library until its next call, and is copied at once.
        unsafe promod_fetch_load().map { unsafe String(cString: $0) }
    }
}
