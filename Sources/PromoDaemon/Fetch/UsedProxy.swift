import Glibc
import PromoSystem
package import PromoWire

/// The proxy that a request went through, and what named it.
package struct UsedProxy: Equatable, Sendable {
    /// The address; nil if the value of the variable is not one that promod knows.
    package let url: ProxyURL?
    /// A key or a file of the configuration, or the name of a variable.
    package let source: String
    /// Whether that is a variable.
    package let isVariable: Bool

    /// The proxy of a query; nil if there was none.
    /// - Parameters:
    ///   - address: what the query named; nil if it left that to the environment.
    ///   - source: what set that.
    ///   - variable: the variable that libcurl then followed.
    package init?(
        _ address: String?, of source: String = "the configuration", variable: String?, environment: [String: String]
    ) {
        if let address {
            guard let url = ProxyURL(address, isVariable: false) else { return nil }
            (self.url, self.source, isVariable) = (url, source, false)
        } else {
            guard let variable, let value = environment[variable] else { return nil }
            (url, self.source, isVariable) = (ProxyURL(value, isVariable: true), variable, true)
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
            "The environment variable \(source) is not the address of a proxy, such as http://proxy.example:3128.")
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
        case .proxy: return "The proxy \(name) made no connection to \(place): \(problem.text.shown(upTo: 120))."
        case .handshake where isProxysTLS, .untrusted where isProxysTLS:
            return "The TLS handshake with the proxy \(name) failed: \(problem.text.shown(upTo: 120))."
        case .closed, .broken: return "The proxy \(name) closed the connection without an answer."
        case .notHTTP, .headTooLarge: return "What answers at \(name) is not a proxy."
        default: return nil
        }
    }
}
