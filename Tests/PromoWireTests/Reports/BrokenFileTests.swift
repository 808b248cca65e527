import PromoWire
import Testing

/// The advice about a broken file.
struct BrokenFileTests {
    @Test(arguments: [
        ("/usr/share/promod/catalogs.d/acme.toml", false), ("/home/me/.config/promod/config.toml", true),
        ("/catalogs.d/config.toml/other", true), (nil, true),
    ])
    func aReloadIsAdvisedOnlyWhereItIsNeeded(file: String?, needsReload: Bool) {
        #expect(BrokenFile.remedy(for: file).contains("promoctl reload") == needsReload)
    }
}
