import PromoCore
@testable import PromoDaemon
import PromoWire
import Testing

/// A key that was renamed is still accepted under its former name.
struct FormerKeyTests {
    private static let user = "/home/me/.config/promod/config.toml"

    private func load(
        _ text: String? = nil, environment: [String: String] = [:], commandLine: [String: String] = [:]
    ) throws(BadConfiguration) -> ConfigurationLoader.Loaded {
        try ConfigurationLoader(
            commandLine: commandLine, environment: environment,
            directories: Directories(environment: [:], home: "/home/me")
        ) { path, _ throws(SystemError) in path == Self.user ? text.map { Array($0.utf8) } : nil }.load()
    }

    @Test(arguments: ConfigurationKey.all.compactMap(\.formerName))
    func aFormerNameSetsTheKeyInEveryLayer(former: String) throws {
        let key = try #require(ConfigurationKey.named(former, in: .file))
        let value = key.name.hasSuffix("gap") ? "1s" : "5"
        let inFile = try load("\(former) = \(key.name.hasSuffix("gap") ? "\"1s\"" : "5")\n")
        let inEnvironment = try load(environment: [ConfigurationKey.Spelling.environment(former): value])
        let onCommandLine = try load(commandLine: [ConfigurationKey.Spelling.commandLine(former): value])
        for loaded in [inFile, inEnvironment, onCommandLine] {
            #expect(loaded.configuration != Configuration())
            #expect(loaded.configuration == inFile.configuration)
            #expect(loaded.sources.keys.sorted() == [key.name])
        }
    }

    @Test func bothNamesInOneLayerAreAnErrorThatNamesBoth() {
        let problem: BadConfiguration? = #expect(throws: BadConfiguration.self) {
            try load("[refresh]\nminimum-gap = \"1s\"\nmin-gap = \"2s\"\n")
        }
        let text = problem?.description ?? ""
        #expect(text.contains("refresh.min-gap"))
        #expect(text.contains("refresh.minimum-gap"))
    }

    @Test func aHigherLayerMayUseTheOtherName() throws {
        let loaded = try load(
            "refresh.min-gap = \"1s\"\n", environment: ["PROMOD_REFRESH_MINIMUM_GAP": "3s"])
        #expect(loaded.configuration.refresh.minimumGap == .seconds(3))
    }
}
