import PromoWire

/// Why a certificate is not trusted, judged by its contents.
struct CertificateProblem: Equatable, Sendable {
    /// The parts of a certificate that are used.
    struct Certificate: Equatable, Sendable {
        var notBefore: Timestamp
        var notAfter: Timestamp
        /// The names of the subject and of the issuer, as they are in the certificate.
        var subject: [OutsideText]
        var issuer: [OutsideText]
    }

    let certificate: Certificate
    /// The host and the port of the server.
    let place: String
    let now: Timestamp

    /// The cause and the remedy, in whole sentences.
    var message: String {
        if now > certificate.notAfter {
            return
                "The certificate of \(place) expired on \(day(certificate.notAfter)). Whoever runs the server has to renew it, "
                + "unless this machine's clock, \(day(now)), is wrong. --ca-file does not help with that."
        }
        if now < certificate.notBefore {
            return
                "The certificate of \(place) is not valid before \(day(certificate.notBefore)), and this machine's clock says "
                + "\(day(now)). If the clock is wrong, set it. --ca-file does not help with that."
        }
        if certificate.subject == certificate.issuer {
            return "The certificate of \(place) is self-signed, so nobody whom this machine trusts vouches for it. "
                + "If it is the right one, save it in PEM and name the file with --ca-file."
        }
        return
            "The certificate of \(place) was issued by \"\(issuer)\", whom this machine does not trust. If that is right, "
            + "save the issuer's certificate in PEM and name the file with --ca-file."
    }

    private var issuer: String {
        certificate.issuer.map { $0.shown(upTo: 120) }.joined(separator: ", ").elided(to: 120)
    }

    private func day(_ time: Timestamp) -> String { String(time.rfc3339.prefix(10)) }
}
