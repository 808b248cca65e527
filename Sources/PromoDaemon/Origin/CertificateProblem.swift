import PromoFetch
import PromoWire

/// Why a certificate is not trusted, and what to do about it.
struct CertificateProblem: Equatable, Sendable {
    /// OpenSSL's numbers for its verdicts (X509_V_ERR_…).
    private enum Verdict: Int {
        case notYetValid = 9
        case expired = 10
        case selfSigned = 18
        case selfSignedInChain = 19
    }

    /// What OpenSSL refused; nil if it refused nothing, and the certificate names another host.
    let certificate: FetchProblem.Certificate?
    /// The host and the port of the server.
    let place: String
    let now: Timestamp

    /// The cause and the remedy, in whole sentences.
    var message: String {
        guard let certificate else {
            return
                "The certificate of \(place) names another host, so something else answers there, or the address has a "
                + "typing error; trusting more certificates (catalog.ca-file) does not help with that."
        }
        let what =
            certificate.depth == 0 ? "The certificate of \(place)" : "The certificate \(place) sends for its issuer"
        switch Verdict(rawValue: certificate.error) {
        case .expired:
            return
                "\(what) expired on \(day(certificate.notAfter)). The server's operator has to renew it, unless this "
                + "machine's clock, \(day(now)), is wrong."
        case .notYetValid:
            return
                "\(what) is not valid before \(day(certificate.notBefore)), and this machine's clock says \(day(now)). "
                + "If the clock is wrong, set it."
        case .selfSigned:
            return
                "The certificate of \(place) is not trusted: it is self-signed. If it is the right one, save it in PEM "
                + "and name the file with catalog.ca-file (promoctl setup --ca-file)."
        case .selfSignedInChain:
            return unknownIssuer(shown(certificate.subject))
        case nil where certificate.depth == 0 && certificate.sent == 1:
            return
                "The certificate of \(place) is not trusted: it was issued by \"\(shown(certificate.issuer))\", and the "
                + "server sends no certificate of that issuer. If the issuer is a public one, the server's operator has to add "
                + "the intermediate certificate; if it is your own, name its file with catalog.ca-file (promoctl setup --ca-file)."
        case nil:
            return unknownIssuer(shown(certificate.issuer))
        }
    }

    private func unknownIssuer(_ name: String) -> String {
        "The certificate of \(place) is not trusted: this machine does not know its issuer \"\(name)\". If that is right, "
            + "save the issuer's certificate in PEM and name the file with catalog.ca-file (promoctl setup --ca-file)."
    }

    private func shown(_ names: [OutsideText]) -> String {
        names.map { $0.shown(upTo: 120) }.joined(separator: ", ").elided(to: 120)
    }

    private func day(_ time: Timestamp) -> String { String(time.rfc3339.prefix(10)) }
}
