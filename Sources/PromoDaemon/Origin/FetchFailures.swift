import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import PromoCore
import PromoProcess
import PromoWire

/// Converts errors of the network libraries into failures of the protocol.
enum FetchFailures {
    /// The way of a request.
    struct Route {
        let url: HTTPSURL
        let proxy: ProxyURL?
        /// Whether there was a connection, through the proxy if there is one, on which the request was sent.
        let isConnected: Bool

        init(_ url: HTTPSURL, _ proxy: ProxyURL? = nil, isConnected: Bool = true) {
            self.url = url
            self.proxy = proxy
            self.isConnected = isConnected
        }
    }

    /// The failure for an error during a request.
    static func failure(for error: any Error, on route: Route) -> Failure {
        if let failure = ProxyFailures.failure(for: error, on: route) { return failure }
        let url = route.url
        return switch error {
        case let error as BodyTooLarge:
            tooLarge(url, limit: error.limit)
        case let error as HTTPClientError:
            failure(for: error, url: url, isConnected: route.isConnected)
        case let error as NIOConnectionError:
            failure(for: error, url: url)
        case NIOSSLError.uncleanShutdown, HTTPParserError.invalidEOFState:
            closedEarly(url)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            Failure(
                .tls,
                "The certificate of \(url.host):\(url.port) names another host, so something else answers there, or the "
                    + "address has a typing error; trusting more certificates (catalog.ca-file) does not help with that."
            )
        case is NIOSSLError where "\(error)".contains("CERTIFICATE_VERIFY_FAILED"):
            untrusted(url)
        case is NIOSSLError where "\(error)".contains("EOF during handshake"):
            closedEarly(url)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError:
            Failure(.tls, "The TLS handshake with \(url.host):\(url.port) failed: \(handshakeProblem(error)).")
        case HTTPParserError.headerOverflow:
            Failure(.httpStatus, "The head or the trailers of the answer of \(url.brief) are too large.")
        case is HTTPParserError:
            Failure(.httpStatus, "The answer of \(url.brief) is not HTTP.")
        case let error as IOError where [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode):
            // If the host is an IP address, there are no others to try, and NIO reports the kernel's error.
            Failure(.connect, "Cannot connect to \(url.host):\(url.port): \(reason(error)).")
        case let error as IOError:
            Failure(.connect, "The connection to \(url.host):\(url.port) broke: \(reason(error)).")
        case is ChannelError:
            Failure(.connect, "Cannot connect to \(url.host):\(url.port): \(brief(error)).")
        default:
            Failure(.connect, "The connection to \(url.host):\(url.port) broke: \(brief(error)).")
        }
    }

    /// Whether a name lookup may go on after a fetch that failed with this.
    static func mayLeaveLookup(_ error: any Error) -> Bool {
        let open: [HTTPClientError] = [
            .cancelled, .connectTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout,
            .readTimeout,
        ]
        return (error as? HTTPClientError).map(open.contains) ?? false
    }

    private static func failure(for error: HTTPClientError, url: HTTPSURL, isConnected: Bool) -> Failure {
        switch error {
        case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
            isConnected
                ? Failure(.timeout, "\(url.host) did not answer completely within refresh.timeout.")
                : Failure(.timeout, unconnected(url, "within refresh.timeout"))
        case .connectTimeout:
            Failure(.connect, unconnected(url, "within 10 s"))
        case .tlsHandshakeTimeout:
            Failure(.timeout, "\(url.host) did not finish the TLS handshake within 10 s.")
        case .remoteConnectionClosed:
            closedEarly(url)
        case .cancelled:
            cancelled
        default:
            Failure(.connect, "Cannot fetch \(url.brief): \(error.shortDescription).")
        }
    }

    private static func failure(for error: NIOConnectionError, url: HTTPSURL) -> Failure {
        guard let first = error.connectionErrors.first else {
            return Failure(.dns, "The name \(url.host) cannot be resolved.")
        }
        let reason = (first.error as? IOError).map(reason) ?? brief(first.error)
        return Failure(.connect, "Cannot connect to \(url.host):\(url.port): \(reason).")
    }

    private static func unconnected(_ url: HTTPSURL, _ time: String) -> String {
        let place = "connection to \(url.host):\(url.port) with TLS was made \(time)."
        let isAddress = url.host.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") } || url.host.hasPrefix("[")
        return isAddress ? "No \(place)" : "The name \(url.host) was not resolved, or no \(place)"
    }

    /// The kernel's reason, without the library's text around it.
    static func reason(_ error: IOError) -> String {
        String(systemError: error.errnoCode)
    }

    private static func closedEarly(_ url: HTTPSURL) -> Failure {
        Failure(.connect, "\(url.host):\(url.port) closed the connection before its answer was complete.")
    }

    /// BoringSSL's reason in words, without the name of its source file.
    private static func handshakeProblem(_ error: any Error) -> String {
        let text = "\(error)"
        if text.contains("WRONG_VERSION_NUMBER") { return "what answers there does not speak TLS" }
        if text.contains("CERTIFICATE_REQUIRED") { return "it asks for a client certificate, and promod has none" }
        // For example "…:SSL routines:OPENSSL_internal:EXCESSIVE_MESSAGE_SIZE at …".
        let reason = text.split(separator: "OPENSSL_internal:").dropFirst().first?.prefix {
            $0.isUppercase || $0.isNumber || $0 == "_"
        }
        return reason.map { $0.lowercased().split(separator: "_").joined(separator: " ") } ?? brief(text)
    }

    /// The failure for a server whose certificate is not trusted; the library does not report why.
    static func untrusted(_ url: HTTPSURL) -> Failure {
        Failure(
            .tls,
            "The certificate of \(url.host):\(url.port) is not trusted: it has expired, or its issuer is not trusted "
                + "by this machine (catalog.ca-file adds trust). \"promoctl doctor\" shows which.")
    }

    /// The failure for a cancelled fetch.
    static var cancelled: Failure { Failure(.connect, "The fetch was cancelled.") }

    /// The failure for a body over the limit.
    static func tooLarge(_ url: HTTPSURL, limit: Int) -> Failure {
        Failure(.tooLarge, "The catalog at \(url.brief) is larger than catalog.max-bytes, \(limit).")
    }

    /// An error's description, shortened, because a library may make it long.
    static func brief(_ error: Any) -> String {
        String("\(error)".prefix(200))
    }
}
