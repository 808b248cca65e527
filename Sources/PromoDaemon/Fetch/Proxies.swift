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
    /// The variables of the fetching process; none if a setting decides.
    let variables: [String: String]

    /// Follows a setting, or without one the environment.
    init(_ setting: ProxySetting?, environment: [String: String]) {
        variables =
            setting == nil ? environment.filter { Self.variables.contains($0.key) && !$0.value.isEmpty } : [:]
        self.setting = setting ?? (variables.isEmpty ? .direct : nil)
    }

    /// Follows the setting of a catalog, else that of the configuration, else the environment.
    package init(_ settings: CatalogSettings, _ configuration: Configuration, environment: [String: String]) {
        self.init(settings.proxy ?? configuration.proxy, environment: environment)
    }

    /// The proxy's address for a query: empty for none, nil if the variables decide.
    var option: String? {
        switch setting {
        case .direct: ""
        case .proxy(let url): url.text
        case nil: nil
        }
    }
}

/// The proxy that a request went through, and what named it.
struct UsedProxy: Equatable, Sendable {
    /// The address; nil if the value of the variable is not one that promod knows.
    private let url: ProxyURL?
    /// The variable that named it; nil if the configuration did.
    private let variable: String?

    /// The proxy of a query; nil if there was none.
    /// - Parameters:
    ///   - address: what the query named; nil if it left that to the environment.
    ///   - variable: the variable that libcurl then followed.
    init?(
        _ address: String?, variable: String?, environment: [String: String]
    ) {
        if let address {
            guard let url = ProxyURL(address, isVariable: false) else { return nil }
            (self.url, self.variable) = (url, nil)
        } else {
            guard let variable, let value = environment[variable] else { return nil }
            (url, self.variable) = (ProxyURL(value, isVariable: true), variable)
        }
    }

    /// The failure for a problem before there was a connection to a place; nil if the origin caused it, behind the proxy.
    func failure(for problem: FetchProblem, to place: String) -> Failure? {
        let text = text(problem, place)
        guard url == nil else { return text.map { Failure(.proxy, $0) } }
        // libcurl may report anything for an address that is not valid.
        guard text != nil || problem.kind == .other else { return nil }
        return Failure(
            .proxy,
            "The environment variable \(variable ?? "") is not the address of a proxy, such as http://proxy.example:3128."
        )
    }

    private func text(_ problem: FetchProblem, _ place: String) -> String? {
        let name = url?.description ?? ""
        // Behind an established tunnel, and from a SOCKS proxy on, TLS is the origin's.
        let isProxysTLS = url?.scheme == .https && problem.proxyStatus == 0
        switch problem.kind {
        case .noProxyName: return "The name of the proxy \(name) cannot be resolved."
        case .unreachable where problem.systemError == 0: return "The proxy \(name) refuses to connect to \(place)."
        case .unreachable: return "The proxy \(name) cannot be reached: \(String(systemError: problem.systemError))."
        case .timeout: return "The proxy \(name) made no connection to \(place) in time."
        case .proxy where problem.proxyStatus == 407 && url?.hasCredentials == true:
            return "The proxy \(name) refuses the user or the password (407)."
        case .proxy where problem.proxyStatus == 407: return "The proxy \(name) asks for a user and a password (407)."
        case .proxy where problem.proxyStatus > 0:
            return "The proxy \(name) refuses to connect to \(place) (\(problem.proxyStatus))."
        case .proxy:
            return "The proxy \(name) made no connection to \(place): \(problem.text.shown(upTo: 120))".sentence
        case .handshake where isProxysTLS, .untrusted where isProxysTLS:
            return "The TLS handshake with the proxy \(name) failed: \(problem.text.shown(upTo: 120))".sentence
        case .closed, .broken: return "The proxy \(name) closed the connection without an answer."
        case .notHTTP, .headTooLarge: return "What answers at \(name) is not a proxy."
        default: return nil
        }
    }
}
