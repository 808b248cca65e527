import CFetch
import PromoWire

extension FetchProblem.Kind {
    /// What one of libcurl's codes means.
    /// - Parameter text: libcurl's words, which alone tell some causes apart.
    init(_ code: Int32, _ text: OutsideText, isConnected: Bool, proxyStatus: Int) {
        let words = text.ascii(upTo: 256) ?? ""
        self =
            switch Int(code) {
            case CODE_COULDNT_RESOLVE_HOST: .noName
            case CODE_COULDNT_RESOLVE_PROXY: .noProxyName
            case CODE_COULDNT_CONNECT: .unreachable
            case CODE_OPERATION_TIMEDOUT: .timeout
            case CODE_SSL_CACERT_BADFILE: .badTrust
            case CODE_SSL_CONNECT_ERROR: .handshake
            case CODE_PEER_FAILED_VERIFICATION: .untrusted
            case CODE_PARTIAL_FILE, CODE_GOT_NOTHING: .closed
            case CODE_UNSUPPORTED_PROTOCOL, CODE_WEIRD_SERVER_REPLY: .notHTTP
            case CODE_PROXY: .proxy
            case CODE_RECV_ERROR where proxyStatus >= 300: .proxy
            case CODE_RECV_ERROR where words.contains("chunked-encoding"): .notHTTP
            case CODE_RECV_ERROR where words.hasPrefix("Too large response headers"): .headTooLarge
            // A single line of more than 100 kB has no memory in libcurl's eyes.
            case CODE_OUT_OF_MEMORY where isConnected: .headTooLarge
            case CODE_RECV_ERROR, CODE_SEND_ERROR, CODE_HTTP2, CODE_HTTP2_STREAM: .broken
            default: .other
            }
    }
}
