@testable import PromoDaemon
import PromoWire
import Testing

struct CertificateProblemTests {
    private static let now = Timestamp(seconds: 1_790_000_000)
    private static let year = Duration.seconds(365 * 86_400)

    private func message(
        from start: Timestamp = now - year, to end: Timestamp = now + year, subject: [OutsideText] = ["example.com"],
        issuer: [OutsideText] = ["Acme", "Acme CA 1"]
    ) -> String {
        let certificate = CertificateProblem.Certificate(
            notBefore: start, notAfter: end, subject: subject, issuer: issuer)
        return CertificateProblem(certificate: certificate, place: "example.com:443", now: Self.now).message
    }

    @Test func eachCauseHasItsOwnSentence() {
        #expect(
            message(to: Self.now - .seconds(86_400)).hasPrefix(
                "The certificate of example.com:443 expired on 2026-09-20."))
        #expect(
            message(from: Self.now + .seconds(86_400)).contains(
                "is not valid before 2026-09-22, and this machine's clock says 2026-09-21"))
        #expect(message(issuer: ["example.com"]).contains("is self-signed"))
        #expect(message().contains("was issued by \"Acme, Acme CA 1\", whom this machine does not trust."))
    }

    @Test func eachSaysWhetherACAFileHelps() {
        for text in [
            message(), message(to: Self.now - Self.year), message(from: Self.now + Self.year),
            message(issuer: ["example.com"]),
        ] {
            #expect(text.contains("--ca-file"))
        }
    }

    @Test func aHostileNameIsMadePrintableAndShortened() {
        let text = message(issuer: [OutsideText("\u{1B}[2J" + String(repeating: "x", count: 10_000))])
        #expect(text.utf8.count < 500)
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
}
