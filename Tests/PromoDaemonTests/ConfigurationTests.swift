import Foundation
import Logging
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// The files and the command line, and the part of TOML 1.0 that promod reads.
struct ConfigurationTests {
    private func load(
        _ files: [String: String] = [:], environment: [String: String] = [:], commandLine: [String: String] = [:]
    ) throws(BadConfiguration) -> ConfigurationLoader.Loaded {
        try ConfigurationLoader(
            commandLine: commandLine, environment: environment,
            directories: Directories(environment: ["XDG_CONFIG_DIRS": "/site:/distribution"], home: "/home/me")
        ) { path, _ throws(SystemError) in files[path].map { Array($0.utf8) } }.load()
    }

    /// What is read of one; only the process that fetches parses it.
    private static let certificate = "-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----\n"

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

    @Test func theAddressOnTheCommandLineCountsInPlaceOfTheDropIns() throws {
        let loaded = try load(commandLine: [ConfigurationKeys.address: "https://a.example/"])
        #expect(loaded.dropIns.entries.map(\.settings.url?.host) == ["a.example"])
        #expect(loaded.sources[ConfigurationKeys.address] == "command line")
        let bad = #expect(throws: BadConfiguration.self) {
            try load(commandLine: [ConfigurationKeys.address: "http://a.example/"])
        }
        #expect(bad?.description.hasPrefix("command line: --catalog-url takes an https address") == true)
    }

    @Test func theExampleThatIsInstalledHasTheDefaults() throws {
        let lines = try UnitFile("../packaging/config.toml").lines
        let settings = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? String($0.dropFirst()) : $0 }
        let text = settings.joined(separator: "\n")
        var configuration = try load([user: text, "/etc/ssl/my-ca.pem": Self.certificate]).configuration
        #expect(configuration.caFile == "/etc/ssl/my-ca.pem")
        #expect(configuration.proxy == .direct)
        (configuration.caFile, configuration.proxy) = (nil, nil)
        #expect(configuration == Configuration())
        #expect(try load([user: lines.joined(separator: "\n")]).configuration == Configuration())
    }

    @Test func eachLayerOverridesThoseBelow() throws {
        let files = [
            distribution:
                "refresh.interval = '1h'\nrefresh.timeout = '1m'\nretry.cap = '1s'\nretry.base = '2s'\nlog.level = 'debug'\n",
            site: "refresh.interval = '2h'\nrefresh.timeout = '2m'\nretry.cap = '2s'\nretry.base = '3s'\n",
            user: "[refresh]\ninterval = '3h'\ntimeout = '3m'\n[retry]\ncap = '3s'\n",
        ]
        let loaded = try load(
            files, environment: ["PROMOD_REFRESH_TIMEOUT": "4m"], commandLine: ["refresh.interval": "5h"])
        #expect(loaded.configuration.refresh.interval == .seconds(5 * 3600))
        #expect(loaded.configuration.timeout == .seconds(3 * 60))
        #expect(loaded.configuration.refresh.cap == .seconds(3))
        #expect(loaded.configuration.refresh.base == .seconds(3))
        #expect(loaded.configuration.logLevel == .debug)
        #expect(loaded.sources["retry.cap"] == "\(user):5")
        #expect(loaded.sources["retry.base"] == "\(site):4")
        #expect(loaded.file == user)
    }

    // MARK: Problems

    private static let impossible = [
        "network.proxy = 'proxy:3128'", "network.ca-file = 'relative.pem'", "network.ca-file = 7",
        "network.ca-file = '/\(String(repeating: "p", count: ConfigurationValue.maximumPath))'",
        "refresh.interval = 24", "refresh.interval = '24'", "refresh.interval = 'h'", "refresh.interval = '-1h'",
        "refresh.interval = '1.5h'", "refresh.interval = '0s'", "refresh.interval = '9999999999999999999h'",
        "retry.cap = '0s'", "log.level = 'loud'", "log.level = true",
        "review.min-completions = -1", "socket.max-connections = 0", "socket.max-connections = ['1']",
    ].map { ($0, ["1: \($0.prefix { $0 != " " }) takes "]) }

    private static let notRead = [
        ("k = 007", "1: a number does not begin with 0"), ("k = -01", "1: a number does not begin with 0"),
        ("[a]\n[b]\n[a]", "3: the table a is defined twice"), ("a.b = 1\n[a]", "2: the table a is defined twice"),
        ("[a]\nb.c.d = 1\n[a.b]", "3: the table a.b is defined twice"),
        ("[.]", "1: a key or a table's name is missing"), ("[a..b]", "1: a key or a table's name is missing"),
        ("a. = 1", "1: a key or a table's name is missing"), (".a = 1", "1: a key or a table's name is missing"),
        ("k = 1 # \u{1}", "1: a control character (here is the character U+0001)"),
        ("k = '\u{7F}'", "1: a control character (here is the character U+007F)"),
        ("\nk = \"\u{1B}[2J\"", "2: a control character (here is the character U+001B)"),
        ("k = “a”", "1: a value is missing (here is ““” (U+201C))"),
        ("k = ‘a’", "1: a value is missing (here is “‘” (U+2018))"),
        ("k\u{A0}= 1", "1: an equals sign is missing after the key (here is a blank (U+00A0))"),
        ("k =\u{A0}1", "1: a value is missing (here is a blank (U+00A0))"),
        ("k = ['a'\u{200B}]", "1: a comma or a closing bracket is missing in the list (here is the character U+200B)"),
        ("a = 1\na = 2", "2: a is defined twice"), ("a.b = 1\na.b = 1", "2: a.b is defined twice"),
        ("k", "1: an equals sign is missing after the key"), ("[log]\nlevel = \n", "2: a value is missing"),
        ("k = { a = 1 }", "1: a value is missing"), ("[[k]]", "1: a key or a table's name is missing"),
        ("\"k\" = 1", "1: a key or a table's name is missing"), ("k = '''a'''", "1: the line has to end here"),
        ("k = [['a']]", "1: a list holds strings in quotes"), ("k = [1]", "1: a list holds strings in quotes"),
        ("k = 1 l = 2", "1: the line has to end here"), ("k = 1\rl = 2", "1: a carriage return without a line feed"),
        ("# all\rk = 1\r", "1: a carriage return without a line feed"),
        ("k = https://a.b/", "1: a string needs quotes"), ("k = 'a", "1: the string has no closing quote"),
        ("k = 'a\n'", "1: the string has no closing quote"), ("k = ['a',\n\n", "3: the list has no closing bracket"),
        ("k = ['a' 'b']", "1: a comma or a closing bracket is missing in the list"),
        ("[a", "1: a closing bracket is missing after the table's name"),
        ("k = \"\\x41\"", "1: a backslash needs one of b t n f r \" \\ after it, or the string needs single quotes"),
        (
            "[\(String(repeating: "n", count: ConfigurationFile.maximumName - 1))]\nx = 1",
            "2: the key's name is longer than \(ConfigurationFile.maximumName) bytes"
        ),
        ("a = [\u{2028}]", "1: "), ("a = \u{85}1", "1: "), ("a\u{a0}= 1", "1: "), ("\u{e9} = 1", "1: "),
        ("[log]\n[a]\u{feff}", "2: "), ("[\u{e9}]", "1: "), ("a\0 = 1", "1: "), ("log.lev\u{200E}el = 'x'", "1: "),
    ].map { ($0, [$1]) }

    private static let belongs =
        "catalog.url is not a key of config.toml: put the catalog's keys into catalogs.d/default.toml"
    private static let unknown = [
        ("[log]\n[refresh]\n", []),
        ("\n[log]\nlevle = 1\n", ["3: log.levle is not a key of the configuration; did you mean log.level?"]),
        ("\u{FEFF}[log]\r\n# a comment\r\nlevle = 'x'\r\n", ["3: log.levle is not a key"]),
        (
            "# log.levle = 1\n[ refresh ] # [log]\nx = [\n  \"y = ]\", # ]\n]\nz.b = \"}\"\n",
            ["3: refresh.x is not", "6: refresh.z.b is not"]
        ),
        (
            "[refresh]\ninterval = 1\ntimeout = 2\n[log]\nlevle = 'info'\n",
            ["2: refresh.interval takes", "3: refresh.timeout takes", "5: log.levle is not"]
        ), ("catalog.url = 'https://a.example/'", ["1: \(belongs)"]), ("[catalog]\nurl = ''", ["2: \(belongs)"]),
    ]

    @Test(arguments: impossible + notRead + unknown)
    func eachProblemIsReportedWithItsLine(text: String, expected: [String]) {
        let found = problems(text).map { $0.dropFirst(user.utf8.count + 1) }
        #expect(found.count == expected.count, "\(found)")
        for (found, expected) in zip(found, expected) { #expect(found.hasPrefix(expected)) }
    }

    @Test func thoseOfTheCommandLineAreReportedWithThoseOfFiles() {
        let found = #expect(throws: BadConfiguration.self) {
            try load([user: "refresh.timeout = 1\n"], commandLine: ["log.level": "x", "log.levle": "1"])
        }
        #expect(found?.problems.count == 3)
        #expect(found?.description.contains("command line: log.level takes one of") == true)
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
    func aHostileFileGivesAtMostAScreenOfProblems(text: String) throws {
        let found = try #require(throws: BadConfiguration.self) { try load([user: text]) }
        #expect(found.lines.count <= BadConfiguration.maximumProblems + 1)
        for line in found.lines {
            #expect(line.unicodeScalars.count <= 2 * ConfigurationProblem.maximumLength + ": ".count)
            #expect(line == line.printable)
        }
    }

    @Test func anotherCapOrBaseNeverMakesTheOtherInvalid() throws {
        let loaded = try load([user: "[retry]\nbase = '24h'\n"])
        #expect(loaded.configuration.refresh.longestPause(failures: 1) == loaded.configuration.refresh.cap)
        #expect(problems("[retry]\ncap = '1s'\n").isEmpty)
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
                + "network.ca-file /ca.pem holds no readable PEM certificate")
    }

    @Test func aFileOfCertificatesMayBeAsLongAsTheLimit() throws {
        for (excess, isRead) in [(0, true), (1, false)] {
            let scratch = try ScratchDirectory()
            let length = TrustedCertificates.maximumBytes + excess
            try scratch.write(
                "ca.pem", Self.certificate + String(repeating: "\n", count: length - Self.certificate.utf8.count))
            #expect((TrustedCertificates.problem(in: scratch("ca.pem")) == nil) == isRead)
        }
    }

    @Test(arguments: [(EACCES, false), (EMFILE, true)])
    func aFileThatCannotBeReadIsAProblemAndNotAMissingFile(number: Int32, isTemporary: Bool) {
        let loader = ConfigurationLoader(
            commandLine: [:], environment: [:], directories: Directories(environment: [:], home: "/home/me")
        ) { path, _ throws(SystemError) in
            if path.hasPrefix("/home") { throw SystemError("read", path, number: number) }
            return nil
        }
        let problem = #expect(throws: BadConfiguration.self) { try loader.load() }
        #expect(problem?.isTemporary == isTemporary)
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

    // MARK: TOML

    private func value(_ text: String) throws -> ConfigurationValue? {
        try ConfigurationFile(Array("k = \(text)".utf8), path: "f").entries.first?.value
    }

    /// "String".
    @Test(arguments: [
        (#""a\tb\n\"\\""#, "a\tb\n\"\\"), (#"'C:\path "x"'"#, #"C:\path "x""#), (#""""#, ""), ("''", ""),
        ("\"caf\u{e9}\"", "caf\u{e9}"),
    ])
    func aString(text: String, string: String) throws {
        #expect(try value(text) == .string(OutsideText(string)))
    }

    /// "Integer", and the types of which no key takes values.
    @Test(arguments: [
        ("0", 0), ("+0", 0), ("42", 42), ("-17", -17), ("9223372036854775808", nil), ("1.5", nil), ("0x1F", nil),
        ("1979-05-27T07:32:00Z", nil), ("true", nil), ("24h", nil),
    ])
    func aWord(text: String, number: Int?) throws {
        #expect(try value(text) == .word(text))
        #expect(try value(text)?.integer == number)
    }

    /// "Array".
    @Test func aTableMayFollowTheOneInIt() throws {
        let text = "[a.b]\nx = 1\n[a]\nx = 1\ny.z = 1\ny.w = 1\n"
        #expect(
            try ConfigurationFile(Array(text.utf8), path: "f").entries.map(\.name) == [
                "a.b.x", "a.x", "a.y.z", "a.y.w",
            ])
    }

    @Test func listsOfStrings() throws {
        #expect(try value("[]") == .list([]))
        #expect(try value("[\n  'a', # one\n\n \"b\"\n  ,\n]\r\n") == .list(["a", "b"]))
    }

    /// "Keys" and "Table".
    @Test func keysAndTables() throws {
        let text = """
            a.b.d = 1
            3-x_ = 2
            [t] # a comment
            [ e.f ]
            i = 3
            j.k = 4

            """
        #expect(
            try ConfigurationFile(Array(text.utf8), path: "f").entries.map { "\($0.name) \($0.value) \($0.line)" }
                == ["a.b.d", "3-x_", "e.f.i", "e.f.j.k"].enumerated().map {
                    "\($1) word(\"\($0 + 1)\") \([1, 2, 5, 6][$0])"
                })
    }
}
