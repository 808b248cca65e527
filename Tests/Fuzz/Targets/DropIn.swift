import PromoDaemon
import PromoWire

extension FuzzTarget {
    /// Any bytes can be in a drop-in, which configures one catalog at most, and what promod writes into it is read back.
    static let dropIn = FuzzTarget(name: "drop-in") { input in
        let before = read(input)
        try require(before.catalogs.count <= 1 && before.ignored.files.isEmpty, "one file is more than one catalog")
        guard let catalog = before.catalogs.first, catalog.problem == nil else { return }
        try require(catalog.configuration.url != nil, "a catalog has neither an address nor a problem")
        let (address, text) = ("https://fuzz.example/catalog.json", String(decoding: input, as: UTF8.self))
        guard let edited = try? ConfigurationEdit.set("url", to: address, in: text, path: path) else { return }
        let after = read(Array(edited.utf8)).catalogs.first
        try require(after?.configuration.url == HTTPSURL(address), "the address was not set")
    }

    private static let path = "/fuzz/acme.toml"

    private static func read(_ bytes: [UInt8]) -> DropInCatalogs {
        DropInCatalogs(
            in: ["/fuzz"], list: { _, _ throws(SystemError) in ["acme.toml"] },
            readFile: { file, _ throws(SystemError) in file == path ? bytes : nil })
    }
}
