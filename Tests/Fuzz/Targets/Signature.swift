import PromoCore
import PromoWire

extension FuzzTarget {
    /// A catalog that is signed counts, and is the same catalog; one that is not signed with the key does not count.
    static let signature = FuzzTarget(name: "signature") { input in
        guard let text = try? CatalogText(input) else { return }
        try require((try? trust.check(text)) == nil, "a signature counts that nobody made")
        let time = Timestamp(seconds: 1_800_000_000)
        guard let signed = try? CatalogSignature.sign(input, with: key, at: time) else { return }
        let again = try CatalogText(signed)
        try require(try trust.check(again)?.signedAt == time, "the signature does not count")
        try require((try? again.catalog()) == (try? text.catalog()), "the signature changed the catalog")
        try require(try CatalogSignature.sign(signed, with: key, at: time).count == signed.count, "signed twice")
    }

    private static let key = PrivateKey()
    private static let trust = CatalogTrust(keys: [key.publicKey])
}
