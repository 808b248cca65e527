import Glibc
import PromoProcess
import PromoWire

/// The user whose promod is configured, whom the person may not have in mind: root, or one without a session.
enum UnseenUser {
    /// What is about to be configured, as sentences; nil if that is plain.
    /// - Parameter status: that of the user's promod; nil if none answers.
    static func warning(_ status: StatusResult?, catalog: String?) -> String? {
        let variables = ProcessEnvironment().variables
        let isRoot = geteuid() == 0
        let runtime = variables["XDG_RUNTIME_DIR"] ?? ""
        let hasSession = !runtime.isEmpty && stat(of: runtime + "/systemd") != nil
        let isSudo = isRoot && variables["SUDO_USER"]?.isEmpty == false
        guard isSudo || status == nil && (isRoot || !hasSession) else { return nil }
        let settings = variables["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let file =
            status?.process.configurationPath
            ?? (settings ?? (variables["HOME"] ?? "~") + "/.config") + "/promod/config.toml"
        let place =
            catalog.flatMap { $0 == CatalogReference.defaultName ? nil : "\(file.directory)/catalogs.d/\($0).toml" }
            ?? file
        let reason =
            status != nil
            ? "" : isRoot ? ", which does not answer" : ", which does not run, because there is no session"
        return
            "This configures \(UserName.current ?? "user \(geteuid())")'s own promod\(reason), in \(place). A default for all users belongs in "
            + "/etc/xdg/promod/config.toml."
    }
}
