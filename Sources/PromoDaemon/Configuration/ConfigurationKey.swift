import Logging
import PromoCore
import PromoWire

/// A key of the configuration: its name, and the type and the place of its value.
package struct ConfigurationKey: Sendable {
    /// The name in a file: table, dot, key.
    package let name: String
    let type: ValueType

    /// The types of values, each with its place in a ``Configuration`` and its range.
    enum ValueType: Sendable {
        typealias Place<Value> = any WritableKeyPath<Configuration, Value> & Sendable

        case source(Place<CatalogConfiguration.Source>)
        case path(Place<String?>)
        case proxy(Place<Proxies.Key?>)
        case integer(Place<Int>, ClosedRange<Int>)
        case boolean(Place<Bool>)
        case keys(Place<[PublicKey]>)
        case addresses(Place<[HTTPSURL]>)
        case duration(Place<Duration>, ClosedRange<Duration>)
        case level(Place<Logger.Level>)
    }

    /// The environment variable that sets it, such as `PROMOD_REFRESH_SPREAD`.
    package var variable: String {
        "PROMOD_" + String(name.map { $0 == "." || $0 == "-" ? "_" : $0 }).uppercased()
    }

    /// The key with a name.
    static func named(_ name: String) -> ConfigurationKey? { all.first { $0.name == name } }

    /// All keys, in the order in which they are shown.
    package static let all: [ConfigurationKey] = [
        ConfigurationKey(name: "catalog.url", type: .source(\.catalog.source)),
        ConfigurationKey(name: "catalog.ca-file", type: .path(\.catalog.caFile)),
        ConfigurationKey(name: "catalog.max-bytes", type: .integer(\.catalog.maximumBytes, 1024...64 * 1024 * 1024)),
        ConfigurationKey(name: Proxies.key, type: .proxy(\.proxyKey)),
        ConfigurationKey(name: "catalog.hold-back", type: .boolean(\.catalog.holdsBack)),
        ConfigurationKey(name: "catalog.public-key", type: .keys(\.catalog.publicKeys)),
        ConfigurationKey(name: "catalog.formerly", type: .addresses(\.catalog.formerly)),
        ConfigurationKey(name: "refresh.interval", type: .duration(\.refresh.interval, .seconds(1)...days(365))),
        ConfigurationKey(name: "refresh.spread", type: .duration(\.refresh.spread, .zero...days(1))),
        ConfigurationKey(name: "refresh.timeout", type: .duration(\.timeout, .seconds(1)...hours(1))),
        ConfigurationKey(name: "refresh.min-gap", type: .duration(\.refresh.minimumGap, .zero...hours(1))),
        ConfigurationKey(name: "retry.floor", type: .duration(\.refresh.backoff.floor, .milliseconds(100)...hours(1))),
        ConfigurationKey(name: "retry.base", type: .duration(\.refresh.backoff.base, .milliseconds(100)...days(1))),
        ConfigurationKey(name: "retry.cap", type: .duration(\.refresh.backoff.cap, .milliseconds(100)...days(1))),
        ConfigurationKey(name: "review.min-completions", type: .integer(\.review.minimumCompletions, 0...1_000_000)),
        ConfigurationKey(
            name: "review.min-days-since-first-launch",
            type: .integer(\.review.minimumDaysSinceFirstLaunch, 0...3650)),
        ConfigurationKey(
            name: "review.min-days-since-last-request",
            type: .integer(\.review.minimumDaysSinceLastRequest, 0...3650)),
        ConfigurationKey(name: "review.max-per-year", type: .integer(\.review.maximumPerYear, 0...366)),
        ConfigurationKey(name: "socket.max-connections", type: .integer(\.maximumConnections, 1...65_536)),
        ConfigurationKey(name: "socket.max-subscribers", type: .integer(\.maximumSubscribers, 0...65_536)),
        ConfigurationKey(name: "log.level", type: .level(\.logLevel)),
    ]

    /// The value of `catalog.url` for the sample.
    package static let sample = "sample"

    /// The values of `log.level`, the least important first.
    package static let logLevels = Logger.Level.allCases.map(\.rawValue)

    private static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
    private static func days(_ count: Int) -> Duration { hours(count * 24) }
}

extension ConfigurationKey {
    /// Sets the key's value.
    /// - Throws: ``ValueRefused`` if the value has the wrong type or is out of range.
    func set(_ value: ConfigurationValue, in configuration: inout Configuration) throws(ValueRefused) {
        switch type {
        case .source(let path):
            guard let text = value.text else { throw refusal }
            if text == Self.sample { return configuration[keyPath: path] = .sample }
            guard let url = HTTPSURL(text) else { throw refusal }
            configuration[keyPath: path] = .address(url)
        case .path(let path):
            guard let text = value.path else { throw refusal }
            configuration[keyPath: path] = text
        case .proxy(let path):
            guard let key = value.text.flatMap(Proxies.Key.init) else { throw refusal }
            configuration[keyPath: path] = key
        case .integer(let path, let range):
            guard let number = value.integer, range.contains(number) else { throw refusal }
            configuration[keyPath: path] = number
        case .boolean(let path):
            guard let boolean = value.boolean else { throw refusal }
            configuration[keyPath: path] = boolean
        case .keys(let path):
            configuration[keyPath: path] = try list(value) { $0.ascii(upTo: 64).flatMap(PublicKey.init) }
        case .addresses(let path):
            configuration[keyPath: path] = try list(value) {
                $0.ascii(upTo: HTTPSURL.maximumLength).flatMap(HTTPSURL.init)
            }
        case .duration(let path, let range):
            guard let duration = value.text.flatMap(Duration.init(configured:)), range.contains(duration) else {
                throw refusal
            }
            configuration[keyPath: path] = duration
        case .level(let path):
            guard let level = value.text.flatMap({ Logger.Level(rawValue: $0) }) else { throw refusal }
            configuration[keyPath: path] = level
        }
    }

    private func list<Element>(
        _ value: ConfigurationValue, _ read: (OutsideText) -> Element?
    ) throws(ValueRefused) -> [Element] {
        guard let texts = value.texts, !texts.isEmpty else { throw refusal }
        let elements = texts.compactMap(read)
        guard elements.count == texts.count else { throw refusal }
        return elements
    }

    /// The value in force as a TOML value, a URL without user, password and query; nil where it is not set.
    package func shown(in configuration: Configuration) -> String? {
        switch type {
        case .source(let path):
            switch configuration[keyPath: path] {
            case .unset: nil
            case .sample: Self.quoted(Self.sample)
            case .address(let url): Self.quoted(url.description)
            }
        case .path(let path): configuration[keyPath: path].map(Self.quoted)
        case .proxy(let path):
            switch configuration[keyPath: path] {
            case .direct: Self.quoted(Proxies.Key.noProxy)
            case .proxy(let url): Self.quoted(url.description)
            case nil: nil
            }
        case .integer(let path, _): String(configuration[keyPath: path])
        case .boolean(let path): String(configuration[keyPath: path])
        case .keys(let path): Self.quoted(configuration[keyPath: path].map(\.description))
        case .addresses(let path): Self.quoted(configuration[keyPath: path].map(\.description))
        case .duration(let path, _): Self.quoted(configuration[keyPath: path].configured)
        case .level(let path): Self.quoted(configuration[keyPath: path].rawValue)
        }
    }

    private static func quoted(_ texts: [String]) -> String? {
        texts.isEmpty ? nil : "[" + texts.map { quoted($0) }.joined(separator: ", ") + "]"
    }

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.value(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private var refusal: ValueRefused { ValueRefused(key: name, takes: takes) }

    /// The values that the key takes, for a message.
    private var takes: String {
        switch type {
        case .source: "an https address with a host, such as \"https://example.com/catalog.json\""
        case .path: "an absolute path in quotes"
        case .proxy:
            "the address of a proxy, such as \"http://proxy.example:3128\", or \"\(Proxies.Key.noProxy)\"; it begins with one of "
                + ProxyURL.Scheme.allCases.map { "\($0.rawValue)://" }.joined(separator: ", ")
        case .integer(_, let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .boolean: "true or false"
        case .keys: "a public key as \"promod generate-key\" prints it, or a list of them"
        case .addresses: "an https address with a host, or a list of them"
        case .duration(_, let range):
            "a duration from \(range.lowerBound.configured) to \(range.upperBound.configured), such as \"500ms\", \"30s\", \"5m\" or \"24h\""
        case .level: "one of " + Self.logLevels.map { "\"\($0)\"" }.joined(separator: ", ")
        }
    }
}

/// A value that a key does not take.
struct ValueRefused: Error {
    let key: String
    let takes: String
}

/// A value in a layer of the configuration.
enum ConfigurationValue: Equatable, Sendable {
    /// A value from the environment or the command line, where everything is text.
    case untyped(OutsideText)
    case string(OutsideText)
    case integer(Int)
    case boolean(Bool)
    /// A list of strings.
    case list([OutsideText])
    /// An empty table.
    case table
    /// A value of a type that no key takes.
    case other

    /// The longest path that the kernel takes, in bytes.
    private static let maximumPath = 4095

    /// The value, if it is ASCII and no longer than any key takes.
    var text: String? {
        switch self {
        case .untyped(let text), .string(let text): text.ascii(upTo: HTTPSURL.maximumLength)
        case .integer, .boolean, .list, .table, .other: nil
        }
    }

    /// The value as an absolute path.
    var path: String? {
        switch self {
        case .untyped(let text), .string(let text):
            guard text.bytes.first == UInt8(ascii: "/"), text.bytes.count <= Self.maximumPath, !text.bytes.contains(0)
            else { return nil }
            return String(decoding: text.bytes, as: UTF8.self)
        case .integer, .boolean, .list, .table, .other: return nil
        }
    }

    /// The strings of a list, or a single one; in the environment and on the command line they are separated by commas.
    var texts: [OutsideText]? {
        switch self {
        case .untyped(let text): text.bytes.split(separator: UInt8(ascii: ",")).map { OutsideText($0) }
        case .string(let text): [text]
        case .list(let texts): texts
        case .integer, .boolean, .table, .other: nil
        }
    }

    var boolean: Bool? {
        switch self {
        case .untyped: text.flatMap(Bool.init)
        case .boolean(let boolean): boolean
        case .string, .integer, .list, .table, .other: nil
        }
    }

    var integer: Int? {
        switch self {
        case .untyped: text.flatMap { Int($0) }
        case .integer(let number): number
        case .string, .boolean, .list, .table, .other: nil
        }
    }
}
