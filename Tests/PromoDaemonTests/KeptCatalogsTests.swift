import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// Which catalogs are kept, of all that files name.
struct KeptCatalogsTests {
    private let scratch: ScratchDirectory
    private var configured = CatalogConfiguration()

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func add(_ name: String, _ address: String? = nil, _ rest: String = "") throws {
        try scratch.write("d/\(name).toml", "url = \"https://\(address ?? name).example/c.json\"\n\(rest)\n")
    }

    private func table(_ name: String, _ address: String) -> NamedCatalog {
        var table = NamedCatalog(name: name, file: "/config.toml")
        table.configuration.url = HTTPSURL("https://\(address).example/c.json")
        return table
    }

    private func keep(_ tables: [NamedCatalog] = [], used: Set<String> = []) -> KeptCatalogs {
        let dropIns = DropInCatalogs(in: [scratch("u"), scratch("d")])
        let addresses = dropIns.catalogs.filter { used.contains($0.name) }.map {
            ($0.name, $0.configuration.url?.requestText ?? "")
        }
        return KeptCatalogs(
            default: configured, tables: tables, dropIns: dropIns, cached: Dictionary(uniqueKeysWithValues: addresses))
    }

    @Test func aTableOfTheConfigurationCountsBeforeADropIn() throws {
        try add("acme", "drop-in")
        let kept = keep([table("acme", "table")])
        #expect(kept.others == [table("acme", "table")])
        #expect(kept.ignored.files.map(\.error) == ["[catalogs.acme] of /config.toml counts instead."])
        #expect(kept.ignored.files.map(\.cause) == [.shadowed])
    }

    @Test func atMost32AreKeptWithTheDefaultOneAndTheOthersAreShown() throws {
        for number in 10..<45 { try add("c\(number)") }
        let kept = keep([table("table", "table")])
        #expect(kept.others.count == 31 && kept.others.contains { $0.name == "table" })
        #expect(kept.ignored.files.map(\.catalog) == (40..<45).map { "c\($0)" })
        #expect(kept.ignored.files.allSatisfy { $0.cause == .limit })
        #expect(
            kept.ignored.files.first?.error
                == "there are 32 catalogs already, with the default one, and promod keeps no more.")
    }

    @Test func fiftyNewFilesPushOutNoCatalogThatIsInUse() throws {
        for number in 10..<60 { try add("a\(number)") }
        for name in ["used", "zeta"] { try add(name) }
        let names = keep(used: ["used", "zeta"]).others.map(\.name)
        #expect(names.count == 31 && names.suffix(2) == ["used", "zeta"])
    }

    @Test func aBrokenFileTakesNoPlaceFromASoundOne() throws {
        for number in 10..<50 { try scratch.write("d/a\(number).toml", "url = 5\n") }
        for number in 10..<40 { try add("b\(number)") }
        let kept = keep()
        #expect(kept.others.filter { $0.problem == nil }.count == 30 && kept.others.count == 31)
        #expect(kept.ignored.files.count == 32 && kept.ignored.more == 7)
    }

    @Test func filesOfOneAddressAreOneCatalogWhoseFirstNameIsThatInUse() throws {
        for name in ["alpha", "beta", "gamma"] { try add(name, "one") }
        #expect(keep().others.map(\.name) == ["alpha"])
        let kept = keep(used: ["beta"]).others
        #expect(kept.map(\.name) == ["beta"] && kept[0].aliases.map(\.name) == ["alpha", "gamma"])
        #expect(kept[0].file == scratch("d/beta.toml"))
    }

    @Test func aCatalogHasAtMost16OtherNames() throws {
        for number in 10..<40 { try add("c\(number)", "one") }
        let kept = keep()
        #expect(kept.others.map(\.name) == ["c10"] && kept.others[0].aliases.count == 16)
        #expect(kept.ignored.files.count == 13 && kept.ignored.files.allSatisfy { $0.cause == .limit })
        #expect(kept.ignored.files.first?.error == "its catalog has 16 other names already, and promod keeps no more.")
    }

    @Test func userAndPasswordMakeNoOtherCatalogButAQueryDoes() throws {
        try scratch.write("d/a.toml", "url = \"https://me:secret@one.example/c.json\"\n")
        try scratch.write("d/b.toml", "url = \"https://ONE.example:443/c.json\"\n")
        try scratch.write("d/c.toml", "url = \"https://one.example/c.json?edition=2\"\n")
        #expect(keep().others.map(\.name) == ["a", "c"])
    }

    @Test mutating func aFileWithTheDefaultCatalogsAddressIsAnotherNameOfIt() throws {
        configured.url = HTTPSURL("https://one.example/c.json")
        try add("acme", "one")
        let kept = keep()
        #expect(kept.others.isEmpty && kept.aliasesOfDefault.map(\.name) == ["acme"])
    }

    @Test func aBrokenFileTakesNothingFromASoundOneOfItsAddress() throws {
        try add("alpha", "one", "max-bytes = true")
        try add("beta", "one")
        // The first name stays where it was in use.
        for (used, name) in [(Set<String>(), "beta"), (["alpha"], "alpha")] {
            let kept = keep(used: used).others
            #expect(kept.map(\.name) == [name] && kept[0].problem == nil && kept[0].file == scratch("d/beta.toml"))
            #expect(kept[0].aliases.contains { $0.name == "alpha" && $0.error != nil })
            #expect(name == "beta" || kept[0].aliases.contains { $0.name == "beta" && $0.error == nil })
        }
    }

    /// Files come, go, change and break at random, and what is kept is in use from then on.
    @Test(arguments: 0..<200)
    func whateverFilesDoEachHasItsPlaceAndWhatIsInUseStays(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
        var (files, configured, before): ([String: NamedCatalog], CatalogConfiguration, KeptCatalogs) =
            ([:], CatalogConfiguration(), KeptCatalogs())
        for _ in 0..<30 {
            let old = files
            for _ in 0..<number(0...12) {
                var file = table("f\(number(10...60))", "a\(number(0...50))")
                if number(0...5) == 0 { file.problem = "no" }
                if number(0...9) == 0 { file.configuration.url = nil; file.problem = "no address" }
                files[file.name] = number(0...3) == 0 ? nil : file
            }
            if number(0...9) == 0 { configured.url = HTTPSURL("https://a\(number(0...50)).example/c.json") }
            var dropIns = DropInCatalogs()
            dropIns.catalogs = files.values.sorted { $0.name < $1.name }
            let used = Set(before.others.filter { $0.problem == nil }.map(\.name))
            let cached = before.addresses.filter { used.contains($0.key) }
            let kept = KeptCatalogs(
                default: configured, tables: [], dropIns: dropIns, before: before, cached: cached)
            let sound = Set(files.values.filter { $0.problem == nil }.compactMap(\.configuration.url?.requestText))
            let served = Set(kept.others.compactMap(\.configuration.url?.requestText)).union(
                [configured.url?.requestText].compactMap(\.self))
            #expect(Set(cached.values).intersection(sound).isSubset(of: served), "a catalog lost its place by its name")

            let addresses = kept.others.compactMap(\.configuration.url?.requestText)
            #expect(kept.others.count < NamedCatalog.maximumCount && Set(addresses).count == addresses.count)
            #expect(!addresses.contains(configured.url?.requestText ?? ""))
            let named = Set(kept.others.map(\.name)).union(kept.aliases.map(\.name))
            let unused = Set(kept.ignored.files.compactMap(\.catalog))
            #expect(named.union(unused) == Set(files.keys) && named.isDisjoint(with: unused))
            for catalog in before.others where catalog.problem == nil && files[catalog.name] == old[catalog.name] {
                guard let file = files[catalog.name], file.problem == nil else { continue }
                let address = file.configuration.url?.requestText
                guard address != configured.url?.requestText else { continue }
                let now = kept.others.first { $0.configuration.url?.requestText == address }
                #expect(now?.name == catalog.name || used.contains(now?.name ?? ""), "\(catalog.name) lost its place")
            }
            before = kept
        }
    }
}
