import PromoSystem

/// promod's directories for one user, by the XDG base directory specification.
package struct Directories: Equatable, Sendable {
    /// `$XDG_CACHE_HOME/promod`, for data that can be fetched again.
    package let cache: String
    /// `$XDG_STATE_HOME/promod`, for data that cannot.
    package let state: String
    /// `$XDG_CONFIG_HOME/promod`.
    package let configuration: String
    /// Each of `$XDG_CONFIG_DIRS` with `/promod`, the most important first.
    package let systemConfiguration: [String]
    /// The directories of drop-ins, the most important first: the person's configuration, the system's, the person's data, and the
    /// system's.
    package let dropIns: [DropInCatalogs.Directory]
    /// The installations of Flatpak, the user's and the system's.
    let flatpakInstallations: [String]

    /// The directories for an environment. An empty or relative variable counts as unset, as the specification asks.
    package init(environment: [String: String], home: String) {
        func base(_ variable: String, _ fallback: String) -> String {
            environment.baseDirectory(variable, fallback, home: home) ?? home + fallback
        }
        cache = base("XDG_CACHE_HOME", "/.cache") + "/promod"
        state = base("XDG_STATE_HOME", "/.local/state") + "/promod"
        configuration = base("XDG_CONFIG_HOME", "/.config") + "/promod"
        func bases(_ variable: String, _ fallback: [String]) -> [String] {
            let paths = (environment[variable] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
            return paths.isEmpty ? fallback : paths.map(String.init)
        }
        systemConfiguration = bases("XDG_CONFIG_DIRS", ["/etc/xdg"]).map { $0 + "/promod" }
        let data =
            [base("XDG_DATA_HOME", "/.local/share")] + bases("XDG_DATA_DIRS", ["/usr/local/share", "/usr/share"])
        let variables = [("FLATPAK_USER_DIR", data[0] + "/flatpak"), ("FLATPAK_SYSTEM_DIR", "/var/lib/flatpak")]
        flatpakInstallations = variables.map { bases($0, [$1])[0] }
        dropIns =
            ([configuration] + systemConfiguration).map { .configuration($0 + Self.dropInDirectory) }
            + data.map { .data($0 + "/promod" + Self.dropInDirectory) }
    }

    /// The user's configuration file.
    package var configurationFile: String { configuration + Self.fileName }

    /// The system's configuration files, the most important first.
    package var systemConfigurationFiles: [String] { systemConfiguration.map { $0 + Self.fileName } }

    private static let fileName = "/config.toml"
    private static let dropInDirectory = "/catalogs.d"
}
