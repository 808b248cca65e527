import Glibc
import PromoFetch
import PromoProcess
import PromoWire

/// Converts problems of the fetching process into failures of the protocol.
enum FetchFailures {
    /// The failure for a problem with a request.
    /// - Parameters:
    ///   - proxy: the proxy that the request went through; nil if there was none.
    ///   - limit: the largest body, in bytes.
    static func failure(
        for problem: FetchProblem, at url: HTTPSURL, by proxy: Proxies.Used?, limit: Int, now: Timestamp
    ) -> Failure {
        if let proxy, let failure = ProxyFailures.failure(for: problem, of: proxy, for: url) { return failure }
        let place = "\(url.host):\(url.port)"
        switch problem.kind {
        case .noLibrary:
            return Failure(
                .connect,
                "Nothing can be fetched, because libcurl cannot be loaded (on Debian, install libcurl4): "
                    + "\(problem.text.shown(upTo: 200)).")
        case .badTrust where problem.systemError == 0:
            return Failure(.tls, "catalog.ca-file holds no certificates in PEM that can be read.")
        case .badTrust:
            return Failure(.tls, "catalog.ca-file cannot be read: \(reason(problem)).")
        case .noName: return Failure(.dns, "The name \(url.host) cannot be resolved.")
        case .noProxyName: return Failure(.proxy, "The name of the proxy cannot be resolved.")
        case .unreachable: return Failure(.connect, "Cannot connect to \(place): \(reason(problem)).")
        case .timeout: return timeout(problem, url)
        case .handshake, .broken: return interrupted(problem, url)
        case .wantsCertificate:
            return Failure(.tls, "\(place) asks for a client certificate, and promod has none.")
        case .untrusted:
            return Failure(
                .tls, CertificateProblem(certificate: problem.certificate, place: place, now: now).message)
        case .closed: return closedEarly(url)
        case .notHTTP: return Failure(.httpStatus, "The answer of \(url.brief) is not HTTP.")
        case .headTooLarge:
            return Failure(.httpStatus, "The head or the trailers of the answer of \(url.brief) are too large.")
        case .tooLarge: return tooLarge(url, limit: limit)
        case .encoding:
            return Failure(
                .encoding,
                "\(url.brief) answers with the encoding \(problem.text.shown()), and promod asked for gzip.")
        case .badGzip: return Failure(.encoding, "The answer of \(url.brief) is not valid gzip.")
        case .proxy: return Failure(.proxy, "The proxy made no connection to \(place).")
        case .other: return Failure(.connect, "Cannot fetch \(url.brief): \(problem.text.shown(upTo: 200)).")
        }
    }

    private static func timeout(_ problem: FetchProblem, _ url: HTTPSURL) -> Failure {
        if problem.isConnected {
            return Failure(.timeout, "\(url.host) did not answer completely within refresh.timeout.")
        }
        let time = problem.isDeadline ? "within refresh.timeout" : "within 10 s"
        let place = "connection to \(url.host):\(url.port) with TLS was made \(time)."
        let isAddress = url.host.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") } || url.host.hasPrefix("[")
        return Failure(
            problem.isDeadline ? .timeout : .connect,
            isAddress ? "No \(place)" : "The name \(url.host) was not resolved, or no \(place)")
    }

    /// TLS failed, in the handshake or after it, or the connection did.
    private static func interrupted(_ problem: FetchProblem, _ url: HTTPSURL) -> Failure {
        let place = "\(url.host):\(url.port)"
        switch openSSLReason(problem.text) {
        case nil:
            // Without a reason of OpenSSL's, it is the system's.
            let number = systemNumber(problem.text)
            return number == 0
                ? closedEarly(url)
                : Failure(.connect, "The connection to \(place) broke: \(systemText(number)).")
        case "wrong version number", "packet length too long", "http request":
            return Failure(.tls, "The TLS handshake with \(place) failed: what answers there does not speak TLS.")
        case let reason? where reason.hasPrefix("unexpected eof"): return closedEarly(url)
        case let reason?: return Failure(.tls, "The TLS handshake with \(place) failed: \(reason).")
        }
    }

    /// OpenSSL's reason, from a text such as `… error:0A00010B:SSL routines::wrong version number…`; nil if there is none.
    private static func openSSLReason(_ text: OutsideText) -> String? {
        guard let text = text.ascii(upTo: 1024), let range = text.firstRange(of: "SSL routines::") else { return nil }
        return String(text[range.upperBound...].prefix { $0 != "," && $0 != ":" })
    }

    /// The number of the system's error, which libcurl names in some texts alone, as in `… errno 104`; 0 if it names none.
    private static func systemNumber(_ text: OutsideText) -> Int {
        let text = text.ascii(upTo: 1024) ?? ""
        guard let range = text.firstRange(of: "errno ") else {
            return text.contains("reset by peer") ? Int(ECONNRESET) : 0
        }
        return Int(text[range.upperBound...].prefix { $0.isNumber }) ?? 0
    }

    private static func reason(_ problem: FetchProblem) -> String {
        problem.systemError == 0 ? problem.text.shown(upTo: 200) : systemText(problem.systemError)
    }

    /// The system's words for an error.
    static func systemText(_ number: Int) -> String { String(systemError: Int32(clamping: number)) }

    private static func closedEarly(_ url: HTTPSURL) -> Failure {
        Failure(.connect, "\(url.host):\(url.port) closed the connection before its answer was complete.")
    }

    /// The failure for a cancelled fetch.
    static var cancelled: Failure { Failure(.connect, "The fetch was cancelled.") }

    /// The failure for a body over the limit.
    static func tooLarge(_ url: HTTPSURL, limit: Int) -> Failure {
        Failure(.tooLarge, "The catalog at \(url.brief) is larger than catalog.max-bytes, \(limit).")
    }
}
