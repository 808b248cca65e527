import CFetch
import Glibc
import PromoCore
import PromoSystem
import PromoWire

extension FetchAnswer {
    /// The failure that libcurl's code means.
    /// - Parameter url: the address that was requested last.
    func failure(at url: HTTPSURL, for request: OriginRequest) -> Failure {
        if let proxy = request.proxies.used(variable: proxyVariable), isFault(of: proxy) {
            // libcurl's words may show what it could not read, with a password.
            guard let url = proxy.url else {
                return Failure(
                    .proxy, "\(proxy.source) is not the address of a proxy, such as http://proxy.example:3128.")
            }
            return Failure(.proxy, "The proxy \(url), which \(proxy.source) sets, failed: \(reason)")
        }
        let place = "\(url.host):\(url.port)"
        let address = url.brief
        return switch code {
        case PROMOD_NO_LIBRARY:
            Failure(
                .fetchProcess,
                "Nothing can be fetched, because libcurl cannot be loaded (on Debian, install libcurl4): \(reason)")
        case PROMOD_CURL_SSL_CACERT_BADFILE:
            Failure(.configuration, "The file of certificates (ca-file) holds no readable PEM certificate.")
        case PROMOD_CURL_COULDNT_RESOLVE_HOST: Failure(.dns, "The name \(url.host) cannot be resolved.")
        case PROMOD_CURL_COULDNT_CONNECT: Failure(.connect, "Cannot connect to \(place): \(reason)")
        case PROMOD_CURL_SSL_CONNECT_ERROR: Failure(.tls, "The TLS handshake with \(place) failed: \(reason)")
        case PROMOD_CURL_PEER_FAILED_VERIFICATION:
            Failure(certificateCode, "The certificate of \(place) is not trusted: \(reason)")
        case PROMOD_CURL_OPERATION_TIMEDOUT: Failure(.timeout, "\(address) took too long: \(reason)")
        case PROMOD_CURL_ABORTED_BY_CALLBACK: Failure(.timeout, "\(address) sent nothing within refresh.timeout.")
        case PROMOD_CURL_TOO_MANY_REDIRECTS,
            PROMOD_CURL_URL_MALFORMAT where status > 0, PROMOD_CURL_UNSUPPORTED_PROTOCOL where status > 0:
            Failure(.redirect, "\(request.url.brief) redirects to where promod does not follow: \(reason)")
        case PROMOD_CURL_UNSUPPORTED_PROTOCOL, PROMOD_CURL_WEIRD_SERVER_REPLY:
            Failure(.httpStatus, "The answer from \(address) is not HTTP: \(reason)")
        case PROMOD_TOO_LARGE:
            Failure(
                .tooLarge,
                "The catalog at \(address) is larger than \(request.maximumBytes) bytes, the most that promod takes.")
        case PROMOD_BAD_GZIP:
            Failure(.encoding, "The answer from \(address) is not valid gzip, or ends too early.")
        default: Failure(.connect, "Cannot fetch \(address): \(reason)")
        }
    }

    /// Why, in the words of the system, OpenSSL or libcurl; they end the sentence.
    private var reason: String {
        if code == PROMOD_CURL_COULDNT_CONNECT, systemError != 0 {
            return String(systemError: Int32(clamping: systemError)).sentence
        }
        let words = text.shown(upTo: 200)
        // Such as "SSL certificate problem: …" and "error:0A00010B:SSL routines::…".
        let ends = ["certificate problem: ", "SSL routines::"].compactMap { words.firstRange(of: $0)?.upperBound }
        return String(words[(ends.first ?? words.startIndex)...]).sentence
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

    /// Whether it failed before there was a way through the proxy.
    private func isFault(of proxy: UsedProxy) -> Bool {
        switch code {
        case PROMOD_CURL_COULDNT_RESOLVE_PROXY, PROMOD_CURL_COULDNT_CONNECT, PROMOD_CURL_PROXY: true
        // A SOCKS proxy answers no CONNECT.
        default: proxyStatus >= 300 || proxyStatus == 0 && status == 0 && proxy.url?.isHTTP != false
        }
    }
}
