import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

struct CatalogCachesTests {
    private let scratch: ScratchDirectory
    private let caches: CatalogCaches
    private let start = Timestamp(seconds: 1_795_000_000)

    init() throws {
        scratch = try ScratchDirectory()
        caches = CatalogCaches(in: PrivateDirectory(path: scratch.path))
    }

    private func day(_ days: Int) -> Timestamp { start + .seconds(days * 86_400) }

    @Test func aCacheGoesThirtyDaysAfterItWasLastConfigured() throws {
        try scratch.write("catalogs/acme/catalog", "x")
        caches.prune(configured: ["acme"], now: day(0))
        caches.prune(configured: [], now: day(1))
        caches.prune(configured: [], now: day(30))
        #expect(caches.names == ["acme"])
        caches.prune(configured: [], now: day(31))
        #expect(caches.names == [])
    }

    @Test func theTimeCountsAnewWhenTheCatalogWasConfiguredAgain() throws {
        try scratch.write("catalogs/acme/catalog", "x")
        caches.prune(configured: [], now: day(0))
        caches.prune(configured: ["acme"], now: day(29))
        caches.prune(configured: [], now: day(31))
        caches.prune(configured: [], now: day(60))
        #expect(caches.names == ["acme"])
        caches.prune(configured: [], now: day(61))
        #expect(caches.names == [])
    }

    @Test(arguments: [
        (nil, CatalogCaches.Fate.isMarked), (-1, .isMarked), (0, .stays), (29, .stays), (30, .isRemoved),
        (4000, .isRemoved),
    ])
    func theMarkDecides(_ age: Int?, _ fate: CatalogCaches.Fate) {
        #expect(CatalogCaches.fate(markedAt: age.map { day(-$0) }, now: start) == fate)
    }

    @Test func aMarkThatCannotBeReadIsWrittenAnew() throws {
        try scratch.write("catalogs/acme/unconfigured", "tomorrow")
        caches.prune(configured: [], now: day(0))
        #expect(scratch.read("catalogs/acme/unconfigured") == "\(start.rfc3339)\n")
    }

    @Test func onlyPromodsOwnFilesAreRemoved() throws {
        for file in ["catalog", ".catalog.new", "catalog.damaged", "schedule.json", "thesis.odt", "folder/file"] {
            try scratch.write("catalogs/acme/\(file)", "x")
        }
        caches.prune(configured: [], now: day(0))
        caches.prune(configured: [], now: day(40))
        let left = try DirectoryReader.names(in: scratch("catalogs/acme"), maximum: 9).sorted()
        #expect(left == ["folder", "thesis.odt"])
    }

    @Test func aLinkIsNoCache() throws {
        try scratch.write("photos/catalog", "precious")
        try scratch.write("catalogs/acme/catalog", "x")
        try scratch.link("catalogs/photos", to: scratch("photos"))
        for age in [0, 40, 80] { caches.prune(configured: [], now: day(age)) }
        #expect(try DirectoryReader.names(in: scratch("photos"), maximum: 9) == ["catalog"])
        #expect(caches.names == [])
        // Nor is anything in a directory that a link stands for.
        try scratch.write("linked/file", "")
        try scratch.link("linked/catalogs", to: scratch("catalogs"))
        try scratch.write("catalogs/zed/catalog", "x")
        #expect(CatalogCaches(in: PrivateDirectory(path: scratch("linked"))).names == [])
    }

    @Test func aCatalogIsFoundByItsAddressUnderAnyName() throws {
        let url = try #require(HTTPSURL("https://me:secret@one.example/c.json"))
        let contents = CatalogContents(
            Array("{}".utf8), of: try #require(HTTPSURL("https://one.example/c.json")), validators: Validators(),
            at: start)
        try scratch.write("catalogs/acme/catalog", String(decoding: contents.fileParts.joined(), as: UTF8.self))
        try scratch.write("catalogs/damaged/catalog", "{\"url\":\"https://one.example/c.json\"}")
        try scratch.write("catalog", "{\"url\":\"https://other.example/\"}\n")
        #expect(caches.catalog(of: url, besides: "acme") == nil)
        let found = try #require(caches.catalog(of: url, besides: "default"))
        #expect(found.bytes == contents.bytes && found.header.fetchedAt == start)
        #expect(found.header.url == url.normalized)
    }

    @Test func aCacheThatIsMarkedIsNotInUse() throws {
        for name in ["acme", "zed"] { try scratch.write("catalogs/\(name)/catalog", "x") }
        caches.prune(configured: ["zed"], now: day(0))
        #expect(caches.addressesInUse().keys.sorted() == ["zed"])
    }

    @Test func whatIsNoCatalogsNameIsLeftAlone() throws {
        try scratch.write("catalogs/Not A Name/file", "x")
        caches.prune(configured: [], now: day(0))
        caches.prune(configured: [], now: day(100))
        #expect(scratch.read("catalogs/Not A Name/file") == "x")
    }
}
