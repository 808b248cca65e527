import CFetch
import PromoWire

extension FetchProblem.Kind {
    /// What one of libcurl's codes means.
    init(_ code: CURLcode, _ text: OutsideText, proxyStatus: Int) {
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
            case CURLE_RECV_ERROR where proxyStatus > 0: .proxy
            case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM: .broken
            default: .other
            }
    }
}
