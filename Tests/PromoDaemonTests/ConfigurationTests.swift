import Foundation
import Logging
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

struct ConfigurationTests {
    private func load(
        _ files: [String: String] = [:], environment: [String: String] = [:], commandLine: [String: String] = [:]
    ) throws(BadConfiguration) -> ConfigurationLoader.Loaded {
        try ConfigurationLoader(
            commandLine: commandLine, environment: environment,
            directories: Directories(environment: ["XDG_CONFIG_DIRS": "/site:/distribution"], home: "/home/me")
        ) { path, _ throws(SystemError) in files[path].map { Array($0.utf8) } }.load()
    }

    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBijCCAS+gAwIBAgIUBmd+jFSGtXoYM4AF55Mn0i0E+a4wCgYIKoZIzj0EAwIw
        GTEXMBUGA1UEAwwOcHJvbW9kIHRlc3QgQ0EwIBcNMjYxMTIxMTk1NDU3WhgPMjEy
        NjEwMjgxOTU0NTdaMBkxFzAVBgNVBAMMDnByb21vZCB0ZXN0IENBMFkwEwYHKoZI
        zj0CAQYIKoZIzj0DAQcDQgAErEoEbhSVaviGQIBgQs3I8dJ3YzVdBPLN3C7QNkTA
        Bb9UX6iAvFgUOeqTcQqTjFOIe+43mlLNsjOfB1jIFK+cR6NTMFEwHQYDVR0OBBYE
        FA53P7DAzOetScP9rs/CreJZglclMB8GA1UdIwQYMBaAFA53P7DAzOetScP9rs/C
        reJZglclMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhANjK0W+Z
        Rm7lO0KTwYjFI0lUXeIOAe9XYvkkQG91Z6CfAiEA7p5LNzbnP+i/zhR/e8EAhryh
        zbUwx8dQXj00J72L07s=
        -----END CERTIFICATE-----
        """

    private let user = "/home/me/.config/promod/config.toml"
    private let site = "/site/promod/config.toml"
    private let distribution = "/distribution/promod/config.toml"

    private func problems(_ text: String) -> [String] {
        do {
            _ = try load([user: text])
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test(arguments: ["[catalog]\nurl = \"https://a.example/\"", "catalog.url = \"https://a.example/\""])
    func aCatalogInIsAnErrorThatSaysWhereItBelongs(text: String) throws {
        let found = problems("\n\(text)\n")
        #expect(
            !found.isEmpty
                && found.allSatisfy {
                    $0.hasPrefix("\(user):") && $0.contains("put the catalog's keys into catalogs.d/default.toml")
                })
    }

    @Test func theDefaultCatalogIsOverriddenByTheEnvironmentAndTheCommandLine() throws {
        let environment = ["PROMOD_CATALOG_URL": "sample", "PROMOD_CATALOG_PROXY": "direct"]
        let loaded = try load(environment: environment)
        #expect(loaded.dropIns.entries.map(\.settings.source) == [.sample])
        let over = try load(environment: environment, commandLine: ["catalog.url": "https://a.example/"])
        #expect(over.dropIns.entries.map(\.settings.url?.host) == ["a.example"])
        #expect(over.dropIns.entries.map(\.settings.proxy) == [.direct])
        #expect(over.sources["catalog.url"] == "command line")
        func problem(_ environment: [String: String], _ commandLine: [String: String]) -> String {
            do {
                _ = try load(environment: environment, commandLine: commandLine)
                return ""
            } catch { return "\(error)" }
        }
        let variable = problem(["PROMOD_CATALOG_URL": "http://a.example/"], [:])
        #expect(
            variable.hasPrefix("environment variable PROMOD_CATALOG_URL: url takes an https address"), "\(variable)")
        let option = problem([:], ["catalog.ca-file": "a.pem"])
        #expect(option.hasPrefix("command line: --catalog-ca-file takes an absolute path"), "\(option)")
        #expect(throws: BadConfiguration.self) { try load(environment: ["PROMOD_CATALOG_HOSTS": "a"]) }
    }

    @Test func theExampleThatIsInstalledNamesEveryKeyWithItsDefault() throws {
        let lines = try UnitFile("../packaging/config.toml").lines
        let settings = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? String($0.dropFirst()) : $0 }
        let text = settings.joined(separator: "\n")
        var configuration = try load([user: text, "/etc/ssl/my-ca.pem": Self.certificate]).configuration
        #expect(configuration.caFile == "/etc/ssl/my-ca.pem" && configuration.proxy == .direct)
        (configuration.caFile, configuration.proxy) = (nil, nil)
        #expect(configuration == Configuration())
        #expect(try load([user: lines.joined(separator: "\n")]).configuration == Configuration())
        for key in ConfigurationKeys.daemon {
            let parts = key.name.split(separator: ".")
            let section = text.components(separatedBy: "[\(parts[0])]").last?.components(separatedBy: "\n[").first ?? ""
            #expect(section.contains("\n\(parts[1]) = "), "\(key.name)")
        }
    }

    @Test func theManualHasEachKeyWithItsRangeAndItsDefault() throws {
        let text = try UnitFile("../packaging/man/promod.toml.5").lines.joined(separator: "\n").replacing(
            "\\-", with: "-")
        for key in ConfigurationKeys.daemon {
            let parts = text.components(separatedBy: "\n.It Cm \(key.name)\n")
            let item = try #require(
                parts.count == 2 ? parts[1].components(separatedBy: "\n.It ")[0] : nil, "\(key.name)")
            let takes = key.takes.prefix { $0 != "," }
            guard takes.contains(" from "), let shown = key.shown(in: Configuration())?.replacing("\"", with: "") else {
                continue
            }
            #expect(item.hasPrefix(takes.prefix(1).uppercased() + takes.dropFirst()), "\(key.name)")
            let value = try #require(item.firstMatch(of: #/by default ([0-9a-z]+)/#)?.1, "\(key.name)")
            let isSame = value == shown || Duration(configured: String(value)) == Duration(configured: shown)
            #expect(isSame, "\(key.name)")
        }
    }

    @Test func withoutAnyLayerTheDefaultsAreInForce() throws {
        let loaded = try load()
        #expect(loaded.configuration == Configuration())
        #expect(loaded.configuration.refresh.interval == .seconds(86_400))
        #expect(loaded.sources.isEmpty)
        #expect(loaded.file == nil)
    }

    @Test func eachLayerOverridesThoseBelow() throws {
        let files = [
            distribution:
                "refresh.interval = '1h'\nrefresh.timeout = '1m'\nretry.cap = '1s'\nretry.base = '2s'\nlog.level = 'debug'\n",
            site: "refresh.interval = '2h'\nrefresh.timeout = '2m'\nretry.cap = '2s'\nretry.base = '3s'\n",
            user: "[refresh]\ninterval = '3h'\ntimeout = '3m'\n[retry]\ncap = '3s'\n",
        ]
        let loaded = try load(
            files, environment: ["PROMOD_REFRESH_INTERVAL": "4h", "PROMOD_REFRESH_TIMEOUT": "4m"],
            commandLine: ["refresh.interval": "5h"])
        #expect(loaded.configuration.refresh.interval == .seconds(5 * 3600))
        #expect(loaded.configuration.timeout == .seconds(4 * 60))
        #expect(loaded.configuration.refresh.cap == .seconds(3))
        #expect(loaded.configuration.refresh.base == .seconds(3))
        #expect(loaded.configuration.logLevel == .debug)
        #expect(loaded.sources["retry.cap"] == "\(user):5")
        #expect(loaded.sources["retry.base"] == "\(site):4")
        #expect(loaded.file == user)
    }

    @Test func anUnknownKeyIsAnErrorWithItsLineAndTheKeyThatWasMeant() {
        #expect(
            problems("\n[log]\nlevle = 'info'\n") == [
                "\(user):3: log.levle is not a key of the configuration; did you mean log.level?"
            ])
        #expect(
            problems("[log]\nlevel = 'info'\n[nonsense]\nthing = 1\n").first?.hasPrefix(
                "\(user):4: nonsense.thing") == true)
        #expect(
            problems("# refresh.intervall = '1h'\nrefresh.intervall = '1h'\n").first?.hasPrefix("\(user):2: ") == true)
    }

    @Test(arguments: [
        "network.proxy = 'proxy:3128'", "network.ca-file = 'relative.pem'", "network.ca-file = 7",
        "refresh.interval = 24", "refresh.interval = '24'", "refresh.interval = 'h'",
        "refresh.interval = '-1h'", "refresh.interval = '1.5h'", "refresh.interval = '0s'",
        "refresh.interval = '9999999999999999999h'", "retry.cap = '0s'", "log.level = 'loud'", "log.level = true",
        "review.min-completions = -1", "socket.max-connections = 0", "socket.max-connections = ['1']",
    ])
    func aWrongOrImpossibleValueIsAnErrorThatNamesTheKey(_ line: String) {
        let key = line.prefix { $0 != " " }
        let found = problems("\n\(line)\n")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("\(user):2: \(key) takes ") == true)
    }

    @Test func allProblemsAreReportedAtOnce() throws {
        #expect(problems("[refresh]\ninterval = 1\ntimeout = 2\n[log]\nlevle = 'info'\n").count == 3)
        do {
            _ = try load(
                [user: "refresh.timeout = 1\n"], environment: ["PROMOD_LOG_LEVEL": "x", "PROMOD_NONSENSE": "1"])
            Issue.record("the configuration was taken")
        } catch {
            #expect(error.problems.count == 3)
            #expect(error.description.contains("environment variable PROMOD_LOG_LEVEL: log.level takes one of"))
        }
    }

    @Test func aTextThatIsNotTOMLIsAnErrorWithItsLine() {
        #expect(problems("[log]\nlevel = \n").first?.hasPrefix("\(user):2: a value is missing") == true)
        #expect(problems("[log]\nlevel = 'a'\nlevel = 'b'\n").first?.hasPrefix("\(user):3") == true)
    }

    @Test func linesAreCountedWithAnyLineEndAndAfterAByteOrderMark() {
        let crlf = problems("\u{FEFF}[log]\r\n# a comment\r\nlevle = 'x'\r\n")
        #expect(crlf.first?.hasPrefix("\(user):3: log.levle") == true)
    }

    @Test(arguments: ["log.level = 'a\0'", "network.ca-file = '/a\0'"])
    func aNULIsInNoValue(line: String) {
        #expect(problems(line).first?.contains(" takes ") == true)
    }

    @Test(arguments: [
        "a = [\u{2028}]", "a = \u{85}1", "a\u{a0}= 1", "\u{e9} = 1", "[a]\u{feff}", "[\u{e9}]", "a\0 = 1",
    ])
    func aCharacterOutsideASCIINeedsQuotesOrAComment(line: String) {
        let found = problems("[log]\n\(line)\n")
        #expect(found.count == 1 && found.first?.hasPrefix("\(user):2: ") == true)
    }

    @Test func aNameIsNotLongerThan255Bytes() {
        let name = String(repeating: "n", count: 253)
        #expect(problems("[\(name)]\nx = 1").contains { $0.contains("is not a key") })
        #expect(problems("[\(name)n]\nx = 1").contains { $0.contains("the key's name is longer than 255 bytes") })
    }

    @Test func aPathIsNotLongerThanTheKernelTakes() {
        let path = String(repeating: "p", count: 4095)
        #expect(problems("network.ca-file = \"/\(path)\"").contains { $0.contains("an absolute path") })
        #expect(!problems("network.ca-file = \"/\(path.dropLast())\"").contains { $0.contains("an absolute path") })
    }

    @Test func aKeyThatOnlyLooksLikeAnotherIsNotTakenForIt() {
        #expect(problems("log.lev\u{200E}el = \"info\"").count == 1)
    }

    @Test func aTextThatIsNotUTF8IsAnErrorWithItsLine() {
        let bytes = Array("[log]\nlevel = 'caf".utf8) + [0xE9] + Array("'\n".utf8)
        #expect(throws: ConfigurationProblem(place: "config.toml:2", message: "the text is not valid UTF-8")) {
            try ConfigurationFile(bytes, path: "config.toml")
        }
    }

    private static let hostile = [
        (0..<5000).map { "k\($0) = 1\n" }.joined(), (0..<4000).map { "[t\($0)]\nx = 1\n" }.joined(),
        (0..<4000).map { "a.k\($0).b = 1\n" }.joined(), (0..<4000).map { "[[t]]\na\($0) = 1\n" }.joined(),
        "a = {" + (0..<4000).map { "k\($0) = 1" }.joined(separator: ", ") + "}\n",
        (0..<100).map { "\"\(String(repeating: "k\\n", count: 200))\($0)\" = 1\n" }.joined(),
        String(repeating: "k", count: 60_000) + "\n", "log.level = '\(String(repeating: "k", count: 60_000))'\n",
    ]

    @Test(arguments: hostile)
    func aHostileFileGivesAtMostAScreenOfProblems(text: String) {
        let found = #expect(throws: BadConfiguration.self) { try load([user: text]) }
        #expect(found.map { $0.lines.count <= 11 && $0.description.utf8.count <= 11 * 300 } == true)
        #expect(found?.lines.allSatisfy { $0 == $0.printable } == true)
    }

    @Test func theProblemsBeyondAScreenAreCounted() {
        let found = #expect(throws: BadConfiguration.self) {
            try load([user: (1...322).map { "k\($0) = 1\n" }.joined()])
        }
        #expect(found?.problems.count == 10)
        #expect(found?.description.hasSuffix("; … and 312 more problems") == true)
    }

    @Test func aLongPlaceKeepsItsEndAndALongMessageItsBeginning() {
        let problem = ConfigurationProblem(
            place: String(repeating: "/d", count: 2000) + "/config.toml:7", message: String(repeating: "m", count: 2000)
        )
        #expect(problem.place.hasPrefix("…") && problem.place.hasSuffix("/config.toml:7"))
        #expect(problem.message.hasPrefix("mmm") && problem.message.hasSuffix("m…"))
        #expect(problem.description.count < 500)
    }

    @Test func aKeysLineIsFoundHoweverItIsWritten() {
        let text = """
            # log.levle = 1
            log.levle = 1
            [ refresh ] # [log]
            x = [
              "y = ]", # ]
            ]
            z.b = "}"
            last = 1
            """
        let lines = problems(text + "\n").map { $0.dropFirst(user.utf8.count + 1).prefix { $0 != " " } }
        #expect(lines == ["2:", "4:", "7:", "8:"])
    }

    @Test func anEmptyTableIsAllowed() {
        #expect(problems("[log]\n[refresh]\n").isEmpty)
    }

    @Test func anotherCapOrBaseNeverMakesTheOtherInvalid() throws {
        let loaded = try load([user: "[retry]\nbase = '2h'\n"])
        #expect(loaded.configuration.refresh.longestPause(failures: 1) == .seconds(3600))
        #expect(problems("[retry]\ncap = '1s'\n").isEmpty)
    }

    @Test func aFileOfCertificatesIsTrusted() throws {
        let loaded = try load(["/ca.pem": Self.certificate], commandLine: ["network.ca-file": "/ca.pem"])
        #expect(loaded.configuration.caFile == "/ca.pem")
    }

    @Test(arguments: ["/ca.pem", "/tmp/ca.pem", "/var/tmp/ca.pem"])
    func aFileOfCertificatesThatIsMissingIsAProblemWithItsReason(path: String) {
        let found = #expect(throws: BadConfiguration.self) {
            try load([user: "[network]\nca-file = '\(path)'\n"])
        }
        let directory = path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        let hint =
            directory.isEmpty
            ? "" : "; the service has a \(directory) of its own (PrivateTmp), so keep the file elsewhere"
        #expect(
            found?.description
                == "\(user):2: network.ca-file \(path) cannot be read: No such file or directory (errno 2)\(hint)")
    }

    @Test(arguments: ["", "nonsense", "\0"])
    func aFileWithoutCertificatesIsAProblem(text: String) {
        let found = #expect(throws: BadConfiguration.self) {
            try load(["/ca.pem": text], commandLine: ["network.ca-file": "/ca.pem"])
        }
        #expect(
            found?.description == "command line: "
                + "network.ca-file /ca.pem does not hold certificates in PEM that can be read")
    }

    @Test func theReasonIsReportedForAFileWithALongPathToo() {
        let path = "/" + String(repeating: "d/", count: 2000) + "ca.pem"
        let found = #expect(throws: BadConfiguration.self) { try load(commandLine: ["network.ca-file": path]) }
        #expect(found?.description.contains("/ca.pem cannot be read: No such file or directory (errno 2)") == true)
    }

    @Test func theSocketsVariableIsNotAKeyAndOtherProgramsVariablesAreIgnored() throws {
        #expect(try load(environment: ["PROMOD_SOCKET": "/x", "PROMO": "1", "LANG": "C"]).sources.isEmpty)
    }

    @Test func aFileThatCannotBeReadIsAProblemAndNotAMissingFile() {
        let loader = ConfigurationLoader(
            commandLine: [:], environment: [:], directories: Directories(environment: [:], home: "/home/me")
        ) { path, _ throws(SystemError) in
            if path.hasPrefix("/home") { throw SystemError("read", path, number: 13) }
            return nil
        }
        #expect(throws: BadConfiguration.self) { try loader.load() }
    }

    @Test func everyKeyHasAVariableOfItsOwn() {
        let names = ConfigurationKeys.daemon.map(\.name) + ConfigurationKeys.overrides
        #expect(Set(names.map(ConfigurationKeys.variable)).count == names.count)
        #expect(ConfigurationKeys.variable("catalog.ca-file") == "PROMOD_CATALOG_CA_FILE")
    }

    @Test(arguments: ["500ms", "30s", "90s", "5m", "24h"])
    func aDurationIsShownAsAConfigurationWritesIt(_ text: String) throws {
        let key = try #require(ConfigurationKeys.daemon.first { $0.name == "retry.cap" })
        let loaded = try load(commandLine: ["retry.cap": text])
        #expect(key.shown(in: loaded.configuration) == "\"\(text)\"")
    }

    @Test func whatIsShownHidesTheSecretsOfAnAddress() throws {
        let loaded = try load(commandLine: ["catalog.url": "https://me:secret@example.com/c.json?key=hidden#part"])
        let settings = try #require(loaded.dropIns.entries.first).settings
        #expect(ConfigurationKeys.catalog[0].shown(in: settings) == "\"https://example.com/c.json\"")
    }

    @Test func relativeAndEmptyXDGVariablesCountAsUnset() {
        let directories = Directories(
            environment: ["XDG_CACHE_HOME": "", "XDG_STATE_HOME": "relative", "XDG_CONFIG_DIRS": "a::b"],
            home: "/home/me")
        #expect(directories.cache == "/home/me/.cache/promod")
        #expect(directories.state == "/home/me/.local/state/promod")
        #expect(directories.systemConfiguration == ["/etc/xdg/promod"])
        #expect(Directories(environment: [:], home: "/").cache == "/.cache/promod")
    }
}
