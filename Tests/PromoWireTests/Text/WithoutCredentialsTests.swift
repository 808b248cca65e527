import PromoWire
import Testing

struct WithoutCredentialsTests {
    @Test(arguments: [
        ("Unexpected argument 'https://me:secret@example.com/a'", "Unexpected argument 'https://…@example.com/a'"),
        ("http://me:secret@proxy:3128 socks5://token@h", "http://…@proxy:3128 socks5://…@h"),
        ("\"me:secret@proxy:3128\"", "\"…@proxy:3128\""), ("https://a@b:c@h/x@y", "https://…@h/x@y"),
        ("HTTPS://me:\n", "HTTPS://me:\n"), ("--url=https://me:secret@h", "--url=https://…@h"),
    ])
    func whatMayBeAPasswordIsLeftOut(text: String, expected: String) {
        #expect(text.withoutCredentials == expected)
    }

    @Test(arguments: [
        "", " ", "\n\n", "me@example.com", "https://example.com/@me:x", "https://example.com?a=b:c@d", "a: b @ c",
        "''\"",
    ])
    func anythingElseStays(text: String) {
        #expect(text.withoutCredentials == text)
    }
}
