import PromoCore
import PromoWire
import Testing

/// The catalogs that are kept, of all that files name.
struct CatalogRosterTests {
    private typealias File = CatalogChoiceTests.File

    private func roster(_ files: [File]) -> CatalogRoster { CatalogRoster(files.map(\.entry)) }

    @Test func theOrderIsTheDefaultOneAndThenThatOfTheFiles() {
        let files = [File("zed", "zed/"), File("acme", "acme/"), File("default", "own/")]
        #expect(roster(files).catalogs.map(\.entry.name) == ["default", "zed", "acme"])
    }

    @Test func filesOfOneAddressAreOneCatalogUnderTheFirstName() {
        let catalogs = roster([
            File("bbb", "one/", hosts: ["x"]), File("aaa", "one/", hosts: ["y"]), File("ccc", "two/"),
        ]).catalogs
        #expect(catalogs.map(\.entry.name) == ["bbb", "ccc"])
        #expect(catalogs[0].aliases == [CatalogAlias(name: "aaa", file: "/aaa.toml")])
        #expect(catalogs[0].hosts == ["x", "y"])
    }

    @Test func theCacheIsUnderTheDigestOfTheAddress() throws {
        func digest(_ file: File) -> String? { file.entry.settings.digest }
        // printf %s https://example.com/c.json | sha256sum
        #expect(digest(File("acme", "example.com/c.json")) == "374b409171eb0fe5")
        let same = [File("acme", "a/"), File("zed", "a/"), File("acme", "me:secret@a/"), File("acme", "A:443/#x")]
        #expect(Set(same.map(digest)).count == 1)
        let others = [
            File("acme", "a/"), File("acme", "a/?q"), File("acme", "b/"), File("acme", "a/", caFile: "/a"),
            File("acme", "a/", proxy: "direct"), File("acme", "a/", proxy: "http://p:1"),
        ]
        #expect(Set(others.map(digest)).count == others.count)
        #expect(digest(.broken("acme")) == nil)
    }

    @Test func aBrokenFileHasThePlaceAndTheDigestThatItHad() {
        let before = roster([File("acme", "acme/"), File("zed", "zed/")])
        let broken = roster([.broken("acme", "acme/"), File("zed", "zed/")])
        #expect(broken.catalogs.map(\.entry.name) == ["acme", "zed"])
        #expect(broken.catalogs.map(\.digest) == before.catalogs.map(\.digest))
        #expect(broken.catalogs[0].entry.problem != nil)
    }

    @Test func aBrokenFileTakesNothingFromASoundOneOfItsAddress() {
        let catalogs = roster([.broken("aaa", "one/"), File("bbb", "one/")]).catalogs
        #expect(catalogs.map(\.entry.name) == ["bbb"])
        #expect(catalogs[0].entry.problem == nil)
        #expect(catalogs[0].aliases == [CatalogAlias(name: "aaa", file: "/aaa.toml", error: "aaa.toml is broken")])
    }

    private static let maximum = CatalogRoster.maximumCount

    @Test(arguments: [
        (maximum - 2, Duration.hours(1), 2), (0, .hours(1), maximum), (0, .days(1), 30), (40, .hours(1), 0),
    ])
    func ofTheCatalogsOfAppsThoseRestForWhichNobodyHasAskedForLong(others: Int, gap: Duration, awake: Int) {
        let apps = (0..<40).map { number in
            var entry = File("app-\(number)", "app\(number)/").entry
            entry.isOfPackage = true
            return entry
        }
        let roster = CatalogRoster((0..<others).map { File("c\($0)", "c\($0)/").entry } + apps)
        #expect(roster.catalogs.count { $0.entry.isOfApp } == 40)
        #expect(roster.refused.count == max(others - Self.maximum, 0))
        let digests = apps.compactMap(\.settings.digest)
        let asked = Dictionary(uniqueKeysWithValues: digests.enumerated().map { ($1, Timestamp.start - gap * $0) })
        #expect(roster.resting(now: .start) { asked[$0] } == Set(digests.dropFirst(awake)))
        #expect(roster.resting(now: .start) { _ in nil } == Set(digests))
    }

    @Test func soManyAreKeptAndTheFurtherOnesAreKnown() {
        let files = (10..<50).map { File("c\($0)", "c\($0)/") } + [File("default", "own/"), File("c99", "c10/")]
        let roster = roster(files)
        let last = 10 + Self.maximum - 1
        #expect(roster.catalogs.map(\.entry.name) == ["default"] + (10..<last).map { "c\($0)" })
        #expect(roster.refused.map(\.name) == (last..<50).map { "c\($0)" })
        // Another name takes no place.
        #expect(roster.catalogs[1].aliases.map(\.name) == ["c99"])
    }

    @Test func aBrokenFileThatWasNeverValidTakesNoPlaceFromASoundOne() {
        let files = (10..<50).map { File.broken("a\($0)") } + (10..<40).map { File("b\($0)", "b\($0)/") }
        let roster = roster(files)
        #expect(roster.catalogs.count == Self.maximum)
        #expect(roster.catalogs.count { $0.entry.problem == nil } == 30)
        #expect(roster.refused.count == files.count - Self.maximum)
    }
}
