import Glibc
import PromoProcess
import PromoWire

/// The proxy that a request went through.
struct UsedProxy: Sendable {
    /// The address; nil if the variable's value is none that promod knows.
    let url: ProxyURL?
    /// The variable that names it; nil if the query did.
    let variable: String?

    /// The proxy that the query named, or that libcurl found in a variable; nil if there was none.
    init?(key: String?, variable: String?, environment: [String: String] = ProcessEnvironment().variables) {
        if let key {
            guard let url = ProxyURL(key, isVariable: false) else { return nil }
            (self.url, self.variable) = (url, nil)
        } else {
            guard let variable, let value = environment[variable] else { return nil }
            (url, self.variable) = (ProxyURL(value, isVariable: true), variable)
        }
    }

    /// The failure for a problem before there was a connection to a place; nil if it is the origin's behind the proxy.
    func failure(for problem: FetchProblem, to place: String) -> Failure? {
        guard let url else {
            // Of an address that is none, libcurl may say anything.
            return text(problem, "", nil, place) == nil && problem.kind != .other
                ? nil
                : Failure(
                    .proxy,
                    "The environment variable \(variable ?? "") is not the address of a proxy, such as http://proxy.example:3128."
                )
        }
        return text(problem, url.description, url, place).map { Failure(.proxy, $0) }
    }

    private func text(_ problem: FetchProblem, _ name: String, _ url: ProxyURL?, _ place: String) -> String? {
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
