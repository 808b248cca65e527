import Glibc
import PromoSystem
package import PromoWire

extension FetchProblem {
    /// The failure to report for a request.
    /// - Parameters:
    ///   - proxy: the proxy of the request; nil if there was none.
    ///   - limit: the largest body, in bytes.
    func failure(at url: HTTPSURL, by proxy: UsedProxy?, limit: Int) -> Failure {
        let place = "\(url.host):\(url.port)"
        if !isConnected, let failure = proxy?.failure(for: self, to: place) { return failure }
        let closedEarly = Failure(.connect, "\(place) closed the connection before its answer was complete.")
        switch kind {
        case .noLibrary:
            return Failure(
                .fetchProcess,
                "Nothing can be fetched, because libcurl cannot be loaded (on Debian, install libcurl4): "
                    + "\(text.shown(upTo: 200)).")
        case .badTrust:
            return Failure(.configuration, "The file of certificates (ca-file) holds no readable PEM certificate.")
        case .noName: return Failure(.dns, "The name \(url.host) cannot be resolved.")
        case .noProxyName: return Failure(.proxy, "The name of the proxy cannot be resolved.")
        case .unreachable: return Failure(.connect, "Cannot connect to \(place): \(reason).")
        case .timeout: return timeout(url)
        case .handshake, .broken: return interruption(place) ?? closedEarly
        case .untrusted:
            return Failure(certificateCode, "The certificate of \(place) is not trusted: \(words).")
        case .closed: return closedEarly
        case .notHTTP: return Failure(.httpStatus, "The answer from \(url.brief) is not HTTP.")
        case .headTooLarge:
            return Failure(.httpStatus, "The headers or trailers from \(url.brief) are too large.")
        case .tooLarge:
            return Failure(
                .tooLarge, "The catalog at \(url.brief) is larger than \(limit) bytes, the most that promod takes.")
        case .encoding:
            return Failure(
                .encoding, "\(url.brief) answers with the encoding \(text.shown()), but promod asked for gzip.")
        case .badGzip:
            return Failure(.encoding, "The answer from \(url.brief) stops being valid gzip at byte \(text.shown()).")
        case .proxy: return Failure(.proxy, "The proxy made no connection to \(place).")
        case .other: return Failure(.connect, "Cannot fetch \(url.brief): \(text.shown(upTo: 200))".sentence)
        }
    }

    fileprivate func timeout(_ url: HTTPSURL) -> Failure {
        if isConnected {
            return Failure(.timeout, "\(url.host) did not answer completely within refresh.timeout.")
        }
        let time = isDeadline ? "within refresh.timeout" : "within 10 s"
        let place = "TLS connection to \(url.host):\(url.port) was made \(time)."
        let isAddress = url.host.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") } || url.host.hasPrefix("[")
        return Failure(
            isDeadline ? .timeout : .connect,
            isAddress ? "No \(place)" : "The name \(url.host) was not resolved, or no \(place)")
    }

    /// The failure if TLS or the connection broke; nil if the connection was only closed.
    private func interruption(_ place: String) -> Failure? {
        guard let reason = openSSLReason else {
            // Without a reason of OpenSSL's there is one of the system's.
            return systemNumber.map {
                Failure(.connect, "The connection to \(place) broke: \(String(systemError: $0)).")
            }
        }
        if reason.hasPrefix("unexpected eof") { return nil }
        let isTLS = !["wrong version number", "packet length too long", "http request"].contains(reason)
        return Failure(
            .tls,
            "The TLS handshake with \(place) failed: \(isTLS ? reason : "what answers there does not speak TLS").")
    }

    /// What is wrong with a certificate, by the numbers of OpenSSL's verdicts.
    private var certificateCode: ProblemCode {
        switch verdict {
        // Not valid yet, and expired.
        case 9, 10: .certificateTime
        // No issuer is known (2, 20), only the leaf is sent (21), or it or its root is self-signed (18, 19).
        case 2, 18, 19, 20, 21: .untrusted
        default: .certificate
        }
    }

    /// OpenSSL's words about a certificate; without them, libcurl has refused its names.
    private var words: String {
        let text = text.shown(upTo: 200)
        return text.firstRange(of: "certificate problem: ").map { String(text[$0.upperBound...]) }
            ?? "it names another host"
    }

    /// OpenSSL's reason, from a text such as `… error:0A00010B:SSL routines::wrong version number…`; nil if there is none.
    private var openSSLReason: String? {
        guard let text = text.ascii(upTo: 1024), let range = text.firstRange(of: "SSL routines::") else { return nil }
        return String(text[range.upperBound...].prefix { $0 != "," && $0 != ":" })
    }

    /// errno, which libcurl reports in some cases only in a text such as `… errno 104`; nil if there is none.
    private var systemNumber: Int32? {
        let text = text.ascii(upTo: 1024) ?? ""
        guard let range = text.firstRange(of: "errno ") else {
            return text.contains("reset by peer") ? ECONNRESET : nil
        }
        return Int32(text[range.upperBound...].prefix { $0.isNumber }).flatMap { $0 == 0 ? nil : $0 }
    }

    private var reason: String { systemError == 0 ? text.shown(upTo: 200) : String(systemError: systemError) }
}

extension FetchQuery {
    /// The failure if the process does not answer in time, such as while a name server is silent.
    package var unanswered: Failure { FetchProblem(kind: .timeout, isDeadline: true).timeout(url) }
}
