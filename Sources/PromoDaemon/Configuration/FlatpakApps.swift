import Glibc
import PromoSystem

/// The installed Flatpak apps, which may have drop-ins among their own files, because Flatpak does not export them.
struct FlatpakApps: Sendable {
    /// The directory of drop-ins in the files of an app.
    static let dropInDirectory = "/share/promod/catalogs.d"
    /// The most apps of an installation that are searched.
    private static let maximumApps = 4096

    /// The directories of the installations, the most important first.
    let installations: [String]

    /// The file of each installation that Flatpak replaces after every change.
    var marks: [String] { installations.map { $0 + "/.changed" } }

    /// The directories of the apps that have files of catalogs, in the order of installation and id.
    func directories(_ list: DropInCatalogs.ListDirectory) -> [DropInCatalogs.Directory] {
        installations.flatMap { installation in
            let apps = (try? list(installation + "/app", Self.maximumApps)) ?? []
            return apps.sorted().map { "\(installation)/app/\($0)/current/active/files" }.filter {
                stat(of: $0 + Self.dropInDirectory)?.kind == S_IFDIR
            }.map(DropInCatalogs.Directory.app)
        }
    }
}
