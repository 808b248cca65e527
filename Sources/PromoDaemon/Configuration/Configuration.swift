package import Logging
package import PromoCore
import PromoWire

/// The daemon's own configuration, without the catalogs. The initial values are the defaults.
package struct Configuration: Equatable, Sendable {
    package var refresh = RefreshPolicy()
    /// The time limit until the origin's answer begins, and for each time in which nothing of it comes.
    package var timeout: Duration = .seconds(30)
    package var review = ReviewPolicy()
    /// The proxy for catalogs that set none; nil if the environment decides.
    package var proxy: ProxySetting?
    /// The path of a PEM file with certificates that are trusted in addition to the system's, for catalogs that set none.
    package var caFile: String?
    package var maximumConnections = 1024
    package var logLevel: Logger.Level = .info
    /// Whether apps may start a daemon in the background.
    package var allowsBackground = true

    /// The defaults.
    package init() {}
}

/// A key of a file: its name, and the type and property of its value.
package struct ConfigurationKey<Target>: Sendable {
    typealias Place<Value> = WritableKeyPath<Target, Value> & Sendable

    /// The name; in `config.toml` table, dot, key.
    package let name: String
    /// The values that the key takes, as a clause.
    package let takes: String
    /// Why the key does not take a value: which ones it takes, and what is wrong with this one.
    let refusal: @Sendable (_ value: ConfigurationValue) -> String
    /// Sets the key's value; false if the value has the wrong type or is out of range.
    let set: @Sendable (_ value: ConfigurationValue, _ target: inout Target) -> Bool
    private let show: @Sendable (Target) -> String?

    fileprivate init<Value>(_ name: String, _ place: any Place<Value>, _ type: ValueType<Value>) {
        (self.name, takes) = (name, type.takes)
        refusal = { value in type.takes + (type.problem(value).map { "; this one \($0)" } ?? "") }
        set = { value, target in
            guard let read = type.read(value) else { return false }
            target[keyPath: place] = read
            return true
        }
        show = { type.show($0[keyPath: place]) }
    }

    /// The value in force in TOML, with a URL's user, password and query omitted; nil if the key is not set.
    package func shown(in target: Target) -> String? { show(target) }
}

/// All keys, in the order in which they are shown.
package enum ConfigurationKeys {
    /// The keys of `config.toml`.
    package static let daemon: [ConfigurationKey<Configuration>] = [
        ConfigurationKey("refresh.interval", \.refresh.interval, .duration(.seconds(1)...days(365))),
        ConfigurationKey("refresh.timeout", \.timeout, .duration(.seconds(1)...hours(1))),
        ConfigurationKey("retry.base", \.refresh.base, .duration(.milliseconds(100)...days(1))),
        ConfigurationKey("retry.cap", \.refresh.cap, .duration(.milliseconds(100)...days(1))),
        ConfigurationKey("review.min-completions", \.review.minimumCompletions, .integer(0...1_000_000)),
        ConfigurationKey(
            "review.min-days-since-first-launch", \.review.minimumDaysSinceFirstLaunch, .integer(0...3650)),
        ConfigurationKey(
            "review.min-days-since-last-request", \.review.minimumDaysSinceLastRequest, .integer(0...3650)),
        ConfigurationKey("review.max-per-year", \.review.maximumPerYear, .integer(0...366)),
        ConfigurationKey("network.proxy", \.proxy, .proxy),
        ConfigurationKey("network.ca-file", \.caFile, .path),
        ConfigurationKey("socket.max-connections", \.maximumConnections, .integer(1...65_536)),
        ConfigurationKey("log.level", \.logLevel, .level),
        ConfigurationKey("background", \.allowsBackground, .boolean),
    ]

    /// The keys of a drop-in.
    package static let catalog: [ConfigurationKey<CatalogSettings>] = [
        ConfigurationKey("url", \.source, .source),
        ConfigurationKey("ca-file", \.caFile, .path),
        ConfigurationKey("proxy", \.proxy, .proxy),
        ConfigurationKey("hosts", \.hosts, .appIDs),
    ]

    /// The name of the command line's option for the default catalog's address, which counts in place of default.toml's.
    package static let address = "--catalog-url"

    /// The value of `url` for the sample.
    package static let sample = "sample"

    /// The values of `log.level`, the least important first.
    package static let logLevels = Logger.Level.allCases.map(\.rawValue)

    private static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
    private static func days(_ count: Int) -> Duration { hours(count * 24) }
}

/// A type of values, with their description, and how they are read and shown.
private struct ValueType<Value>: Sendable {
    /// The values that it takes, for a message.
    let takes: String
    /// What is wrong with a value, as a clause, if that can be said.
    var problem: @Sendable (ConfigurationValue) -> String? = { _ in nil }
    /// The value; nil if it has the wrong type or is out of range.
    let read: @Sendable (ConfigurationValue) -> Value?
    /// The value in TOML; nil if it is not set.
    let show: @Sendable (Value) -> String?
}

extension ValueType<CatalogSettings.Source?> {
    static var source: ValueType {
        ValueType(
            takes: "an https address with a host, such as \"https://example.com/catalog.json\"",
            problem: { $0.string.flatMap { HTTPSURL.problem(of: $0)?.clause } },
            read: {
                $0.text == ConfigurationKeys.sample
                    ? .sample : $0.string.flatMap { HTTPSURL($0) }.map(CatalogSettings.Source.address)
            },
            show: { source in
                switch source {
                case nil: nil
                case .sample: quoted(ConfigurationKeys.sample)
                case .address(let url): quoted(url.description)
                }
            })
    }
}

extension ValueType<String?> {
    static var path: ValueType {
        ValueType(
            takes: "an absolute path in quotes", read: { $0.path.map(Optional.some) }, show: { $0.map(quoted) })
    }
}

extension ValueType<ProxySetting?> {
    static var proxy: ValueType {
        ValueType(
            takes:
                "the address of a proxy, such as \"http://proxy.example:3128\", or \"\(ProxySetting.noProxy)\"; it begins with one of "
                + ProxyURL.Scheme.allCases.map { "\($0.rawValue)://" }.joined(separator: ", "),
            read: { $0.text.flatMap(ProxySetting.init).map(Optional.some) },
            show: { setting in
                switch setting {
                case .direct: quoted(ProxySetting.noProxy)
                case .proxy(let url): quoted(url.description)
                case nil: nil
                }
            })
    }
}

extension ValueType<[String]> {
    static var appIDs: ValueType {
        ValueType(
            takes: "a list of apps' ids, such as [\"finebill\"]; each has \(AppID.form)",
            read: { value in
                guard let texts = value.texts else { return nil }
                let ids = texts.compactMap { $0.ascii(upTo: AppID.maximumLength) }.filter(AppID.isWellFormed)
                return ids.count == texts.count ? ids : nil
            },
            show: { $0.isEmpty ? nil : "[" + $0.map(quoted).joined(separator: ", ") + "]" })
    }
}

extension ValueType<Logger.Level> {
    static var level: ValueType {
        ValueType(
            takes: "one of " + ConfigurationKeys.logLevels.map(quoted).joined(separator: ", "),
            read: { $0.text.flatMap { Logger.Level(rawValue: $0) } }, show: { quoted($0.rawValue) })
    }
}

extension ValueType<Bool> {
    static var boolean: ValueType {
        ValueType(takes: "true or false", read: \.boolean, show: { String($0) })
    }
}

extension ValueType<Int> {
    static func integer(_ range: ClosedRange<Int>) -> ValueType {
        ValueType(
            takes: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            read: { $0.integer.flatMap { range.contains($0) ? $0 : nil } }, show: { String($0) })
    }
}

extension ValueType<Duration> {
    static func duration(_ range: ClosedRange<Duration>) -> ValueType {
        ValueType(
            takes:
                "a duration from \(range.lowerBound.configured) to \(range.upperBound.configured), such as \"500ms\", \"30s\", \"1h30m\" or \"2d\"",
            read: { $0.text.flatMap(Duration.init(configured:)).flatMap { range.contains($0) ? $0 : nil } },
            show: { quoted($0.configured) })
    }
}

private func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.value(text)
    return String(decoding: writer.bytes, as: UTF8.self)
}
