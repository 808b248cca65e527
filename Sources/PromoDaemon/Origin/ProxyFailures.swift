import PromoFetch
import PromoWire

/// Converts problems on the way to and through a proxy into failures of the protocol.
enum ProxyFailures {
    /// The failure for a problem with a proxy; nil if it is the origin's behind it.
    static func failure(for problem: FetchProblem, of proxy: Proxies.Used, for url: HTTPSURL) -> Failure? {
        guard !problem.isConnected else { return nil }
        let text = text(problem, proxy, url)
        if proxy.url != nil { return text.map { Failure(.proxy, $0) } }
        // Of an address that is none, libcurl may say anything.
        guard text != nil || problem.kind == .other else { return nil }
        return Failure(
            .proxy,
            "The environment variable \(proxy.source) is not the address of a proxy, such as http://proxy.example:3128."
        )
    }

    private static func text(_ problem: FetchProblem, _ proxy: Proxies.Used, _ url: HTTPSURL) -> String? {
        let name = proxy.name
        let place = "\(url.host):\(url.port)"
        // Behind an established tunnel, and from a SOCKS proxy on, TLS is the origin's.
        let isProxysTLS = proxy.url?.scheme == .https && problem.proxyStatus == 0
        switch problem.kind {
        case .noProxyName: return "The name of the proxy \(name) cannot be resolved."
        case .unreachable:
            return problem.systemError == 0
                ? "The proxy \(name) refuses to connect to \(place)."
                : "The proxy \(name) cannot be reached: \(FetchFailures.systemText(problem.systemError))."
        case .timeout: return "The proxy \(name) made no connection to \(place) in time."
        case .proxy where problem.proxyStatus == 407: return unauthorized(proxy)
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

    /// The message if a proxy lets only users through that it knows.
    private static func unauthorized(_ proxy: Proxies.Used) -> String {
        let problem =
            proxy.url?.hasCredentials == true ? "refuses the user or the password" : "asks for a user and a password"
        return "The proxy \(proxy.name) \(problem) (407)."
    }

    /// Whether only another address or other credentials would help.
    static func isLasting(_ failure: Failure, _ proxy: Proxies.Used?) -> Bool {
        guard let proxy, failure.code == .proxy else { return false }
        return proxy.url == nil || failure == Failure(.proxy, unauthorized(proxy))
    }
}
