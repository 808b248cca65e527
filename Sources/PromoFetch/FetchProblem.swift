package import PromoWire

/// Why a request brought no whole answer, in the fetching process's words.
package struct FetchProblem: Error, Equatable, Sendable {
    /// What happened.
    package enum Kind: String, CaseIterable, Sendable {
        /// A library cannot be loaded; the text says which.
        case noLibrary = "no-library"
        /// The file of certificates cannot be read, or holds none.
        case badTrust = "bad-trust"
        case noName = "no-name"
        case noProxyName = "no-proxy-name"
        /// No connection was made, and the system says why.
        case unreachable
        case timeout
        /// The handshake failed; the text says why.
        case handshake
        /// The server asked for a certificate, and ended the connection without one.
        case wantsCertificate = "wants-certificate"
        /// A certificate was refused; without ``FetchProblem/certificate``, it names another host.
        case untrusted
        /// The connection ended before the answer did.
        case closed
        /// The connection broke; the text says why.
        case broken
        case notHTTP = "not-http"
        case headTooLarge = "head-too-large"
        /// The body is larger than the query allows.
        case tooLarge = "too-large"
        /// The body has an encoding that was not asked for; the text names it.
        case encoding
        /// The body is not valid gzip.
        case badGzip = "bad-gzip"
        /// The proxy refuses, or is none.
        case proxy
        /// Anything else; the text says what.
        case other
    }

    /// What OpenSSL says of a certificate that it refuses.
    package struct Certificate: Equatable, Sendable {
        /// Its number for the error, such as 10 for one that has expired.
        package var error: Int
        /// Which certificate of the chain: 0 for the server's own.
        package var depth: Int
        /// How many the server sent.
        package var sent: Int
        package var notBefore: Timestamp
        package var notAfter: Timestamp
        /// The names of the subject and of the issuer, as they are in the certificate.
        package var subject: [OutsideText]
        package var issuer: [OutsideText]

        /// What OpenSSL says.
        package init(
            error: Int, depth: Int, sent: Int, notBefore: Timestamp, notAfter: Timestamp, subject: [OutsideText],
            issuer: [OutsideText]
        ) {
            self.error = error
            self.depth = depth
            self.sent = sent
            self.notBefore = notBefore
            self.notAfter = notAfter
            self.subject = subject
            self.issuer = issuer
        }
    }

    package var kind: Kind
    /// A library's words.
    package var text: OutsideText
    /// errno of the system call that failed; 0 if none did.
    package var systemError: Int
    /// Whether there was a connection, through the proxy if there is one, on which the request could be sent.
    package var isConnected: Bool
    /// Whether the time for the whole request was over, not only that for a connection.
    package var isDeadline: Bool
    /// The status with which the proxy answered; 0 if it did not.
    package var proxyStatus: Int
    package var certificate: Certificate?

    /// A problem.
    package init(
        _ kind: Kind, text: OutsideText = "", systemError: Int = 0, isConnected: Bool = false,
        isDeadline: Bool = false, proxyStatus: Int = 0, certificate: Certificate? = nil
    ) {
        self.kind = kind
        self.text = text
        self.systemError = systemError
        self.isConnected = isConnected
        self.isDeadline = isDeadline
        self.proxyStatus = proxyStatus
        self.certificate = certificate
    }

    /// Writes the problem as a JSON object.
    func write(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("kind", kind.rawValue)
            writer.member("text", text)
            writer.member("systemError", systemError)
            writer.member("isConnected", isConnected)
            writer.member("isDeadline", isDeadline)
            writer.member("proxyStatus", proxyStatus)
            if let certificate {
                writer.name("certificate")
                certificate.write(into: &writer)
            }
        }
    }

    /// Reads what ``write(into:)`` wrote; nil for anything else.
    init?(_ value: JSONValue) {
        guard let kind = value["kind"]?.word(Kind.self) else { return nil }
        self.init(
            kind, text: value["text"]?.outsideText ?? "", systemError: value["systemError"]?.integer ?? 0,
            isConnected: value["isConnected"]?.boolean ?? false, isDeadline: value["isDeadline"]?.boolean ?? false,
            proxyStatus: value["proxyStatus"]?.integer ?? 0,
            certificate: value["certificate"].flatMap(Certificate.init))
    }
}

extension FetchProblem.Certificate {
    fileprivate func write(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("error", error)
            writer.member("depth", depth)
            writer.member("sent", sent)
            writer.member("notBefore", notBefore)
            writer.member("notAfter", notAfter)
            for (name, texts) in [("subject", subject), ("issuer", issuer)] {
                writer.name(name)
                writer.array { writer in for text in texts { writer.value(text) } }
            }
        }
    }

    fileprivate init?(_ value: JSONValue) {
        guard let error = value["error"]?.integer, let depth = value["depth"]?.integer,
            let sent = value["sent"]?.integer, let notBefore = value["notBefore"]?.time,
            let notAfter = value["notAfter"]?.time
        else { return nil }
        func texts(_ name: String) -> [OutsideText] { value[name]?.elements.compactMap(\.outsideText) ?? [] }
        self.init(
            error: error, depth: depth, sent: sent, notBefore: notBefore, notAfter: notAfter,
            subject: texts("subject"), issuer: texts("issuer"))
    }
}
