import CFetch
import PromoWire

/// Why the answer to a request is incomplete.
struct FetchProblem: Error, Equatable, Sendable {
    /// What happened.
    enum Kind: CaseIterable, Sendable {
        /// A library cannot be loaded; the text says which.
        case noLibrary
        /// The file of certificates cannot be read, or holds none.
        case badTrust
        case noName, noProxyName
        /// No connection was made, and the system says why.
        case unreachable
        case timeout
        /// The handshake failed; the text says why.
        case handshake
        /// A certificate was refused; the text says why.
        case untrusted
        /// The connection ended before the answer did.
        case closed
        /// The connection broke; the text says why.
        case broken
        case notHTTP, headTooLarge
        /// The body is larger than the query allows.
        case tooLarge
        /// The body has an encoding that was not asked for; the text names it.
        case encoding
        /// The body is not gzip; the text says from which byte on.
        case badGzip
        /// The proxy refuses, or is not one.
        case proxy
        /// Anything else; the text says what.
        case other
    }

    var kind: Kind
    /// A library's words.
    var text: OutsideText = ""
    /// errno of the system call that failed; 0 if none did.
    var systemError: Int32 = 0
    /// Whether there was a connection, through the proxy if there is one, on which the request could be sent.
    var isConnected = false
    /// Whether the time limit of the request was reached, and not only that of a connection.
    var isDeadline = false
    /// OpenSSL's verdict on the certificate, such as 10 for one that has expired; 0 if there is none.
    var verdict = 0
    /// The status of the proxy's answer; 0 if there was none.
    var proxyStatus = 0
}

extension FetchProblem {
    /// The problem of a request that failed in libcurl.
    init(_ outcome: inout promod_outcome) {
        self.init(
            kind: .other, text: FetchTransfer.text(&outcome.text), systemError: outcome.system_error,
            isConnected: outcome.is_connected != 0, isDeadline: outcome.is_deadline != 0,
            verdict: outcome.verdict, proxyStatus: outcome.proxy_status)
        kind = kind(of: Int(outcome.code))
    }

    /// The meaning of a code of libcurl's; only its words tell some causes apart.
    private func kind(of code: Int) -> Kind {
        let words = text.ascii(upTo: 256) ?? ""
        return switch code {
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
        // libcurl reports a line of more than 100 kB as a lack of memory.
        case CODE_OUT_OF_MEMORY where isConnected: .headTooLarge
        case CODE_RECV_ERROR, CODE_SEND_ERROR, CODE_HTTP2, CODE_HTTP2_STREAM: .broken
        default: .other
        }
    }
}
