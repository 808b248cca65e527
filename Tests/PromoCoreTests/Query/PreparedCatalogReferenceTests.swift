import PromoCore
import PromoTestSupport
import PromoWire
import Testing

/// Slices of prepared bytes compared with a reference that filters and encodes, on random catalogs.
@Suite struct PreparedCatalogReferenceTests {
    private let languages: [TaglineLanguage] = [.one(.en), .one(.ko), .one(.ja), .all]

    @Test(arguments: 1...16)
    func everyHostLanguageAndLimitGivesWhatTheReferenceGives(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let reference = RandomCatalog(using: &generator)
        let catalog = try PreparedCatalog(bytes: reference.bytes(using: &generator))
        for host in reference.hosts {
            #expect(catalog.selection(host: host).isHostKnown == reference.isKnown(host))
            for language in languages {
                for limit in [nil, 1, 2, reference.count, Int.random(in: 1...20, using: &generator)] {
                    let shown = try catalog.shown(to: host, in: language, limit: limit)
                    #expect(shown == reference.shown(to: host, in: language, limit: limit))
                }
            }
        }
    }
}
