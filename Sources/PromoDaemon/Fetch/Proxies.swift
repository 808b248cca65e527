import Glibc
package import PromoCore
import PromoSystem
import PromoWire

/// Decides which proxy, if any, a request goes through: by a setting, or by the variables that libcurl reads.
package struct Proxies: Equatable, Sendable {
    /// No proxy.
    package static let none = Proxies(nil, environment: [:])
    /// The variables that libcurl reads. The first of each kind that is not empty counts.
    private static let variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]

    private let setting: ProxySetting?
    /// The key of the setting.
    private let key: String
    /// The variables of the fetching process; none if a setting decides.
    let variables: [String: String]

    /// Follows a setting, or without one the environment.
    init(_ setting: ProxySetting?, key: String = "network.proxy", environment: [String: String]) {
        variables =
            setting == nil ? environment.filter { Self.variables.contains($0.key) && !$0.value.isEmpty } : [:]
        self.setting = setting ?? (variables.isEmpty ? .direct : nil)
        self.key = key
    }

    /// Follows the setting of a catalog, else that of the configuration, else the environment.
    package init(_ settings: CatalogSettings, _ configuration: Configuration, environment: [String: String]) {
        if let proxy = settings.proxy {
            self.init(proxy, key: "the catalog's \"proxy\"", environment: environment)
        } else {
            self.init(configuration.proxy, environment: environment)
        }
    }

    /// The proxy's address for a query: empty for none, nil if the variables decide.
    var option: String? {
        switch setting {
        case .direct: ""
        case .proxy(let url): url.text
        case nil: nil
        }
    }

    /// Whether requests may go through a proxy.
    var isAny: Bool { setting.map { $0 != .direct } ?? variables.keys.contains { $0.lowercased() != "no_proxy" } }

    /// The proxy of a request; nil if there was none.
    /// - Parameter variable: the name of the variable that libcurl then followed.
    func used(variable: OutsideText) -> UsedProxy? {
        switch setting {
        case .direct: return nil
        case .proxy(let url): return UsedProxy(url: url, source: key)
        case nil:
            guard let name = variable.ascii(upTo: 16), let value = variables[name] else { return nil }
            return UsedProxy(url: ProxyURL(value, isVariable: true), source: "the environment variable \(name)")
        }
    }
}

/// The proxy that a request went through, and what set it.
struct UsedProxy: Equatable, Sendable {
    /// The address; nil if the value of the variable is none that promod knows.
    let url: ProxyURL?
    /// The key or the variable.
    let source: String
}
