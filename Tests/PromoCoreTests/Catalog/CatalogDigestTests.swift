import PromoCore
import Testing

/// The digest of a catalog is the SHA-256 of its bytes.
struct CatalogDigestTests {
    private static let known: [(String, Int, String)] = [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]

    @Test(arguments: known)
    func theDigestIsThatOfTheStandard(text: String, count: Int, hexadecimal: String) {
        let bytes = Array(repeating: Array(text.utf8), count: count).flatMap(\.self)
        #expect(CatalogDigest(of: bytes).hexadecimal == hexadecimal)
    }

    @Test func theDigestOfTheCatalogIsThatOfItsFile() {
        let digest = CatalogDigest(of: Fixture.catalog("finepocket"))
        #expect(digest.hexadecimal == "1f6c78ecaa0c9966621fea20efa2c627468ff838e87f47c34177bc56078e50b5")
    }

    @Test func theGenerationIsTheFirstSixteenDigits() {
        #expect(CatalogDigest(of: Array("abc".utf8)).short == "ba7816bf8f01cfea")
    }

    @Test func oneBitMakesAnotherGeneration() {
        #expect(CatalogDigest(of: [0]).short != CatalogDigest(of: [1]).short)
        #expect(CatalogDigest(of: [0]) == CatalogDigest(of: [0]))
    }
}
