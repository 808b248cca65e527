import PromoCore
import PromoDaemon
import PromoWire

extension FuzzTarget {
    /// Any bytes can be in a catalog's file, which configures one catalog at most.
    static let dropIn = FuzzTarget(name: "drop-in") { input in
        let read = DropInCatalogs(
            in: [.data("/fuzz")], list: { _, _ throws(SystemError) in ["acme.toml"] },
            readFile: { file, _ throws(SystemError) in file == "/fuzz/acme.toml" ? input : nil })
        try require(read.entries.count + read.ignored.count == 1, "one file is more than one catalog")
        guard let entry = read.entries.first else { return }
        let settings = entry.settings
        try require((settings.url == nil) == (entry.problem != nil), "a catalog has no address, or a problem with one")
        try require((settings.digest == nil) == (settings.url == nil), "an address has no digest")
        try require(settings.hosts.allSatisfy(AppID.isWellFormed), "a host is not an app's id")
    }
}
