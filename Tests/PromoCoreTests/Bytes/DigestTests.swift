import PromoCore
import Testing

/// The digest of a catalog is the SHA-256 of its bytes, and its first sixteen digits are the generation.
struct DigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func theDigestIsThatOfTheStandard(text: String, hexadecimal: String) {
        let digest = Digest(of: Array(text.utf8))
        #expect(digest.hexadecimal == hexadecimal && digest.short == hexadecimal.prefix(16))
    }
}
