import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import PromoWire

/// Converts errors on the way to and through a proxy into failures of the protocol.
enum ProxyFailures {
    /// The failure for an error; nil if there is no proxy, or the error comes from the origin behind it.
    static func failure(for error: any Error, on route: FetchFailures.Route) -> Failure? {
        guard let proxy = route.proxy, !route.isConnected else { return nil }
        return problem(of: proxy, error, route.url).map { Failure(.proxy, $0) }
    }

    private static func problem(of proxy: ProxyURL, _ error: any Error, _ url: HTTPSURL) -> String? {
        switch error {
        case let error as HTTPClientError: problem(of: proxy, error, url)
        case HTTPParserError.invalidEOFState: closed(proxy)
        case is HTTPParserError: "What answers at \(proxy) is not an http proxy."
        case let error as NIOConnectionError: unreachable(proxy, error)
        case let error as IOError: "The proxy \(proxy) cannot be reached: \(FetchFailures.reason(error))."
        case is ChannelError: "The proxy \(proxy) cannot be reached: \(FetchFailures.brief(error))."
        // A private type of async-http-client, for a connection that ended while it waited for the proxy's answer.
        case _ where "\(error)" == "NoResult()": closed(proxy)
        default: nil
        }
    }

    private static func problem(of proxy: ProxyURL, _ error: HTTPClientError, _ url: HTTPSURL) -> String? {
        switch error {
        case .proxyAuthenticationRequired: unauthorized(proxy).message
        case .invalidProxyResponse:
            "The proxy \(proxy) refuses to connect to \(url.host):\(url.port)."
        case .httpProxyHandshakeTimeout, .connectTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout,
            .readTimeout:
            "The proxy \(proxy) made no connection to \(url.host):\(url.port) in time."
        case .remoteConnectionClosed: closed(proxy)
        default: nil
        }
    }

    /// The failure if a proxy lets only users through that it knows.
    static func unauthorized(_ proxy: ProxyURL) -> Failure {
        let problem = proxy.credentials == nil ? "asks for a user and a password" : "refuses the user or the password"
        return Failure(.proxy, "The proxy \(proxy) \(problem) (407).")
    }

    private static func closed(_ proxy: ProxyURL) -> String {
        "The proxy \(proxy) closed the connection without an answer."
    }

    private static func unreachable(_ proxy: ProxyURL, _ error: NIOConnectionError) -> String {
        guard let first = error.connectionErrors.first else {
            return "The name of the proxy \(proxy) cannot be resolved."
        }
        let reason = (first.error as? IOError).map(FetchFailures.reason) ?? FetchFailures.brief(first.error)
        return "The proxy \(proxy) cannot be reached: \(reason)."
    }
}
