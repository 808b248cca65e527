import PromoCore
import PromoWire
import Testing

/// The file of an attempt to fetch an icon.
struct IconAttemptTests {
    private let noon = Timestamp(seconds: 1_795_262_400)

    @Test func anAttemptComesBackAsItWasWritten() throws {
        let attempt = IconAttempt("https://a.example:8443/i.png?token=1", now: noon)
        #expect(attempt.fileBytes == Array("2026-11-21T12:00:00Z https://a.example:8443/i.png?token=1\n".utf8))
        #expect(IconAttempt(fileBytes: attempt.fileBytes) == attempt)
    }

    @Test func theLongestAddressCanBeReadAgain() throws {
        let path = String(repeating: "i", count: HTTPSURL.maximumLength - 18)
        let attempt = IconAttempt("https://a.example/\(path)", now: noon)
        #expect(IconAttempt(fileBytes: attempt.fileBytes) == attempt)
        #expect(attempt.fileBytes.count <= IconAttempt.maximumSize)
    }

    @Test(arguments: [
        "", "\n", "2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z \n", "2026-11-21T12:00:00Z https://a.example/i.png",
        "2026-11-21T12:00:00Z http://a.example/i.png\n", "2026-11-31T12:00:00Z https://a.example/i.png\n",
        "2026-11-21T12:00:00Z https://a.example/i.png \n", "https://a.example/i.png 2026-11-21T12:00:00Z\n",
    ])
    func bytesThatAreNotAnAttemptAreRefused(text: String) {
        #expect(IconAttempt(fileBytes: Array(text.utf8)) == nil)
    }

    @Test func bytesThatAreNotUTF8AreRefused() {
        #expect(IconAttempt(fileBytes: Array("2026-11-21T12:00:00Z https://a.example/".utf8) + [0xFF, 0x0A]) == nil)
    }
}
