import CFetch
import PromoWire

extension FetchProblem.Kind {
    /// What one of libcurl's codes means.
    /// - Parameter text: libcurl's words, which alone tell some causes apart.
    init(_ code: CURLcode, _ text: OutsideText, isConnected: Bool, proxyStatus: Int) {
        let words = text.ascii(upTo: 256) ?? ""
        self =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST: .noName
            case CURLE_COULDNT_RESOLVE_PROXY: .noProxyName
            case CURLE_COULDNT_CONNECT: .unreachable
            case CURLE_OPERATION_TIMEDOUT: .timeout
            case CURLE_SSL_CACERT_BADFILE: .badTrust
            case CURLE_SSL_CONNECT_ERROR: .handshake
            case CURLE_PEER_FAILED_VERIFICATION: .untrusted
            case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING: .closed
            case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: .notHTTP
            case CURLE_PROXY: .proxy
            case CURLE_RECV_ERROR where proxyStatus >= 300: .proxy
            case CURLE_RECV_ERROR where words.contains("chunked-encoding"): .notHTTP
            case CURLE_RECV_ERROR where words.hasPrefix("Too large response headers"): .headTooLarge
            // A single line of more than 100 kB has no memory in libcurl's eyes.
            case CURLE_OUT_OF_MEMORY where isConnected: .headTooLarge
            case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM: .broken
            default: .other
            }
    }
}
