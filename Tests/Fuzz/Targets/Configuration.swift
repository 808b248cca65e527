import PromoDaemon
import PromoWire

extension FuzzTarget {
    /// Any bytes can be in the configuration file, and what promod writes into it is read back.
    static let configuration = FuzzTarget(name: "configuration") { input in
        let before = try? load(input)
        guard let text = String(validating: input, as: UTF8.self) else {
            return try require(before == nil, "a text that is not UTF-8 was taken")
        }
        let address = "https://fuzz.example/catalog.json"
        guard let edited = try? ConfigurationEdit.set("catalog.url", to: address, in: text, path: path) else { return }
        guard before != nil else { return }
        let after = try load(Array(edited.utf8))
        try require(after.configuration.catalog.url == HTTPSURL(address), "the address was not set")
        if let removed = try? ConfigurationEdit.set("catalog.url", to: nil, in: edited, path: path) {
            let last = try load(Array(removed.utf8))
            try require(last.configuration.catalog.url == nil, "the address was not removed")
        }
    }

    private static let path = "/fuzz/config.toml"

    private static func load(_ bytes: [UInt8]) throws(BadConfiguration) -> ConfigurationLoader.Loaded {
        try ConfigurationLoader(
            commandLine: [:], environment: [:], directories: Directories(environment: [:], home: "/nonexistent"),
            userFile: path
        ) { file, _ throws(SystemError) in file == path ? bytes : nil }.load()
    }
}
