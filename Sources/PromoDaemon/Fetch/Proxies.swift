package import PromoCore
package import PromoWire

/// Decides which proxy, if any, a request goes through: by a setting, or by the variables that libcurl reads.
package struct Proxies: Equatable, Sendable {
    /// No proxy.
    package static let none = Proxies(nil, of: "", environment: [:])
    /// The variables that libcurl reads. The first of each kind that is not empty counts.
    private static let variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]

    private let setting: ProxySetting?
    /// The key that sets it.
    private let source: String
    /// The variables of the fetching process; none if a setting decides.
    let variables: [String: String]

    /// Follows a setting, or without one the environment.
    /// - Parameter source: the key that sets it.
    init(_ setting: ProxySetting?, of source: String, environment: [String: String]) {
        variables =
            setting == nil ? environment.filter { Self.variables.contains($0.key) && !$0.value.isEmpty } : [:]
        self.setting = setting ?? (variables.isEmpty ? .direct : nil)
        self.source = source
    }

    /// Follows the setting of a catalog, else that of the configuration, else the environment.
    package init(_ settings: CatalogSettings, _ configuration: Configuration, environment: [String: String]) {
        if let own = settings.proxy {
            self.init(own, of: "proxy", environment: environment)
        } else {
            self.init(configuration.proxy, of: "network.proxy", environment: environment)
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

    /// The proxy that was used; nil if there was none.
    /// - Parameter variable: the variable that libcurl followed.
    package func used(_ variable: String?) -> UsedProxy? {
        UsedProxy(option, of: source, variable: variable, environment: variables)
    }
}

extension UsedProxy {
    /// The proxy for status.
    package var status: ProxyStatus { ProxyStatus(url: url?.description ?? "", source: source) }
}
