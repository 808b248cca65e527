@testable import PromoDaemon
import PromoWire
import Testing

struct RefusedCertificateTests {
    private static let now = Timestamp(seconds: 1_790_000_000)
    private static let day = Duration.seconds(86_400)

    private func message(
        _ error: Int32, depth: Int32 = 0, sent: Int32 = 1, subject: [OutsideText] = ["example.com"],
        issuer: [OutsideText] = ["Acme", "Acme CA 1"]
    ) -> String {
        RefusedCertificate(
            error: error, depth: depth, sent: sent, notBefore: Self.now + Self.day, notAfter: Self.now - Self.day,
            subject: subject, issuer: issuer
        ).message(from: "example.com:443", now: Self.now)
    }

    @Test func eachCauseHasItsOwnSentence() {
        #expect(message(10).hasPrefix("The certificate of example.com:443 expired on 2026-09-20."))
        #expect(message(10, depth: 1).hasPrefix("The certificate example.com:443 sends for its issuer expired on"))
        #expect(message(9).contains("is not valid before 2026-09-22, and this machine's clock says 2026-09-21"))
        #expect(message(18).contains("is self-signed"))
        #expect(
            message(20).contains("issued by \"Acme, Acme CA 1\", and the server sends no certificate of that issuer"))
        #expect(message(20, depth: 1, sent: 2).contains("does not know its issuer \"Acme, Acme CA 1\""))
        #expect(message(19, depth: 1, sent: 2, subject: ["Root"]).contains("does not know its issuer \"Root\""))
    }

    @Test func aHostileNameIsMadePrintableAndShortened() {
        let text = message(20, issuer: [OutsideText("\u{1B}[2J" + String(repeating: "x", count: 10_000))])
        #expect(text.utf8.count < 500)
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
}
