import CFetch
import PromoWire

/// A certificate that OpenSSL refuses.
struct RefusedCertificate: Equatable, Sendable {
    /// OpenSSL's numbers for its verdicts (X509_V_ERR_…).
    private enum Verdict: Int32 {
        case notYetValid = 9
        case expired = 10
        case selfSigned = 18
        case selfSignedInChain = 19
    }

    /// OpenSSL's number for the verdict.
    var error: Int32
    /// Which certificate of the chain: 0 for the server's own.
    var depth: Int32
    /// The number of certificates that the server sent.
    var sent: Int32
    var notBefore: Timestamp
    var notAfter: Timestamp
    /// The names of the subject and of the issuer, as in the certificate.
    var subject: [OutsideText]
    var issuer: [OutsideText]

    /// Why it is not trusted and what to do about that, in whole sentences.
    /// - Parameter place: the host and the port of the server.
    func message(from place: String, now: Timestamp) -> String {
        let what = depth == 0 ? "The certificate of \(place)" : "The certificate \(place) sends for its issuer"
        switch Verdict(rawValue: error) {
        case .expired:
            return
                "\(what) expired on \(day(notAfter)). The server's operator has to renew it, unless this machine's clock, "
                + "\(day(now)), is wrong."
        case .notYetValid:
            return
                "\(what) is not valid before \(day(notBefore)), and this machine's clock says \(day(now)). If the clock is "
                + "wrong, set it."
        case .selfSigned:
            return
                "The certificate of \(place) is not trusted: it is self-signed. If it is the right one, save it in PEM "
                + "and name the file with ca-file (promoctl setup --ca-file)."
        case nil where depth == 0 && sent == 1:
            return
                "The certificate of \(place) is not trusted: it was issued by \"\(shown(issuer))\", and the server sends "
                + "no certificate of that issuer. If the issuer is a public one, the server's operator has to add the "
                + "intermediate certificate; if it is your own, name its file with ca-file (promoctl setup --ca-file)."
        case .selfSignedInChain, nil:
            let name = shown(error == Verdict.selfSignedInChain.rawValue ? subject : issuer)
            return
                "The certificate of \(place) is not trusted: this machine does not know its issuer \"\(name)\". If that is "
                + "right, save the issuer's certificate in PEM and name the file with ca-file (promoctl setup --ca-file)."
        }
    }

    private func shown(_ names: [OutsideText]) -> String {
        names.map { $0.shown(upTo: 120) }.joined(separator: ", ").elided(to: 120)
    }

    private func day(_ time: Timestamp) -> String { String(time.rfc3339.prefix(10)) }
}

extension RefusedCertificate {
    /// The certificate that OpenSSL refused during a request; nil if there is none, so that the certificate names another host.
    init?(_ outcome: inout promod_outcome) {
        guard outcome.certificate_error != 0 else { return nil }
        func names(_ text: OutsideText) -> [OutsideText] {
            text.bytes.split(separator: UInt8(ascii: "\n")).map { OutsideText($0) }
        }
        self.init(
            error: outcome.certificate_error, depth: outcome.certificate_depth, sent: outcome.certificates_sent,
            notBefore: Timestamp(seconds: outcome.not_before), notAfter: Timestamp(seconds: outcome.not_after),
            subject: names(FetchTransfer.text(&outcome.subject)), issuer: names(FetchTransfer.text(&outcome.issuer)))
    }
}
