import PromoCore
import PromoDaemon
import PromoWire

extension FuzzTarget {
    /// Any bytes can be in the configuration file, and what is shown of it is read back.
    static let configuration = FuzzTarget(name: "configuration") { input in
        guard var read = try? load(input) else { return }
        try require(String(validating: input, as: UTF8.self) != nil, "a text that is not UTF-8 was taken")
        // A password is not shown.
        if case .proxy(let url)? = read.proxy, url.text != url.description { read.proxy = nil }
        let lines = ConfigurationKeys.daemon.compactMap { key in key.shown(in: read).map { "\(key.name) = \($0)\n" } }
        try require(try load(Array(lines.joined().utf8)) == read, "what is shown is another configuration")
    }

    private static let path = "/nonexistent/.config/promod/config.toml"

    private static func load(_ bytes: [UInt8]) throws(BadConfiguration) -> Configuration {
        try ConfigurationLoader(
            commandLine: [:], environment: [:], directories: Directories(environment: [:], home: "/nonexistent")
        ) { file, _ throws(SystemError) in file == path ? bytes : nil }.load().configuration
    }
}
