import Logging
import PromoCore
import PromoWire

/// A key of the configuration: its name, and the type and property of its value.
package struct ConfigurationKey: Sendable {
    typealias Place<Value> = WritableKeyPath<Configuration, Value> & Sendable

    /// The name in a file: table, dot, key.
    package let name: String
    /// The values that the key takes, for a message.
    let takes: String
    /// Sets the key's value; false if the value has the wrong type or is out of range.
    let set: @Sendable (_ value: ConfigurationValue, _ configuration: inout Configuration) -> Bool
    private let show: @Sendable (Configuration) -> String?

    private init<Value>(_ name: String, _ place: any Place<Value>, _ type: ValueType<Value>) {
        (self.name, takes) = (name, type.takes)
        set = { value, configuration in
            guard let read = type.read(value) else { return false }
            configuration[keyPath: place] = read
            return true
        }
        show = { type.show($0[keyPath: place]) }
    }

    /// The environment variable that sets the key, such as `PROMOD_REFRESH_INTERVAL`.
    package var variable: String {
        "PROMOD_" + String(name.map { $0 == "." || $0 == "-" ? "_" : $0 }).uppercased()
    }

    /// The value in force in TOML, with a URL's user, password and query omitted; nil if the key is not set.
    package func shown(in configuration: Configuration) -> String? { show(configuration) }

    /// All keys, in the order in which they are shown.
    package static let all: [ConfigurationKey] = [
        ConfigurationKey("catalog.url", \.catalog.source, source),
        ConfigurationKey("catalog.ca-file", \.catalog.caFile, path),
        ConfigurationKey("catalog.max-bytes", \.catalog.maximumBytes, integer(1024...64 * 1024 * 1024)),
        ConfigurationKey(Proxies.key, \.proxyKey, proxy),
        ConfigurationKey("catalog.formerly", \.catalog.formerly, addresses),
        ConfigurationKey("refresh.interval", \.refresh.interval, duration(.seconds(1)...days(365))),
        ConfigurationKey("refresh.timeout", \.timeout, duration(.seconds(1)...hours(1))),
        ConfigurationKey("retry.base", \.refresh.base, duration(.milliseconds(100)...days(1))),
        ConfigurationKey("retry.cap", \.refresh.cap, duration(.milliseconds(100)...days(1))),
        ConfigurationKey("review.min-completions", \.review.minimumCompletions, integer(0...1_000_000)),
        ConfigurationKey(
            "review.min-days-since-first-launch", \.review.minimumDaysSinceFirstLaunch, integer(0...3650)),
        ConfigurationKey(
            "review.min-days-since-last-request", \.review.minimumDaysSinceLastRequest, integer(0...3650)),
        ConfigurationKey("review.max-per-year", \.review.maximumPerYear, integer(0...366)),
        ConfigurationKey("socket.max-connections", \.maximumConnections, integer(1...65_536)),
        ConfigurationKey("socket.max-subscribers", \.maximumSubscribers, integer(0...65_536)),
        ConfigurationKey("log.level", \.logLevel, level),
    ]

    /// The value of `catalog.url` for the sample.
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
    /// The value; nil if it has the wrong type or is out of range.
    let read: @Sendable (ConfigurationValue) -> Value?
    /// The value in TOML; nil if it is not set.
    let show: @Sendable (Value) -> String?
}

extension ConfigurationKey {
    private static let source = ValueType<CatalogConfiguration.Source>(
        takes: "an https address with a host, such as \"https://example.com/catalog.json\"",
        read: { $0.text == sample ? .sample : $0.text.flatMap(HTTPSURL.init).map(CatalogConfiguration.Source.address) },
        show: { source in
            switch source {
            case .unset: nil
            case .sample: quoted(sample)
            case .address(let url): quoted(url.description)
            }
        })

    private static let path = ValueType<String?>(
        takes: "an absolute path in quotes", read: { $0.path.map(Optional.some) }, show: { $0.map(quoted) })

    private static let proxy = ValueType<Proxies.Key?>(
        takes:
            "the address of a proxy, such as \"http://proxy.example:3128\", or \"\(Proxies.Key.noProxy)\"; it begins with one of "
            + ProxyURL.Scheme.allCases.map { "\($0.rawValue)://" }.joined(separator: ", "),
        read: { $0.text.flatMap(Proxies.Key.init).map(Optional.some) },
        show: { key in
            switch key {
            case .direct: quoted(Proxies.Key.noProxy)
            case .proxy(let url): quoted(url.description)
            case nil: nil
            }
        })

    private static let level = ValueType<Logger.Level>(
        takes: "one of " + logLevels.map(quoted).joined(separator: ", "),
        read: { $0.text.flatMap { Logger.Level(rawValue: $0) } }, show: { quoted($0.rawValue) })

    private static let addresses = list("an https address with a host, or a list of them") {
        $0.ascii(upTo: HTTPSURL.maximumLength).flatMap(HTTPSURL.init)
    }

    private static func integer(_ range: ClosedRange<Int>) -> ValueType<Int> {
        ValueType(
            takes: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            read: { $0.integer.flatMap { range.contains($0) ? $0 : nil } }, show: { String($0) })
    }

    private static func duration(_ range: ClosedRange<Duration>) -> ValueType<Duration> {
        ValueType(
            takes:
                "a duration from \(range.lowerBound.configured) to \(range.upperBound.configured), such as \"500ms\", \"30s\", \"5m\" or \"24h\"",
            read: { $0.text.flatMap(Duration.init(configured:)).flatMap { range.contains($0) ? $0 : nil } },
            show: { quoted($0.configured) })
    }

    private static func list<Element: CustomStringConvertible & Sendable>(
        _ takes: String, _ element: @escaping @Sendable (OutsideText) -> Element?
    ) -> ValueType<[Element]> {
        ValueType(
            takes: takes,
            read: { value in
                let texts = value.texts ?? []
                let elements = texts.compactMap(element)
                return elements.isEmpty || elements.count < texts.count ? nil : elements
            },
            show: { elements in
                elements.isEmpty ? nil : "[" + elements.map { quoted($0.description) }.joined(separator: ", ") + "]"
            })
    }

    private static func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.value(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
