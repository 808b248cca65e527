import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// The caches of catalogs, below a directory.
struct CatalogCachesTests {
    private let scratch: ScratchDirectory
    private let caches: CatalogCaches
    private let start = Timestamp(seconds: 1_795_000_000)
    private let acme = "0123456789abcdef"
    private let zed = "fedcba9876543210"

    init() throws {
        scratch = try ScratchDirectory()
        caches = CatalogCaches(in: PrivateDirectory(path: scratch.path))
    }

    /// Makes a cache that was last written at the start.
    private func write(_ digest: String, _ files: [String] = ["catalog"]) throws {
        for file in files { try scratch.write("catalogs/\(digest)/\(file)", "x") }
        let time = timespec(tv_sec: Int(start.milliseconds / 1000), tv_nsec: 0)
        // Swift passes the path with a final NUL, and the times live until the call returns.
        #expect(utimensat(AT_FDCWD, scratch("catalogs/\(digest)"), [time, time], 0) == 0)
    }

    @Test(arguments: [(0, 0, true), (1, -1, true), (1, 0, false), (100, 0, false), (-1, 1, true), (-1, 0, false)])
    func aCacheThatNoFileNamesGoesSomeTimeAfterItWasLastWritten(_ times: Int, _ seconds: Int, _ stays: Bool) throws {
        try write(acme)
        try write(zed)
        caches.prune(besides: [zed], now: start + CatalogCaches.retention * times + .seconds(seconds))
        #expect(caches.digests == (stays ? [acme, zed] : [zed]))
    }

    @Test func onlyPromodsOwnFilesAreRemoved() throws {
        try write(acme, ["catalog", ".catalog.new", "catalog.damaged", "schedule.json", "thesis.odt", "folder/file"])
        caches.prune(besides: [], now: start + CatalogCaches.retention * 2)
        let left = try DirectoryReader.names(in: scratch("catalogs/\(acme)"), maximum: 9).sorted()
        #expect(left == ["folder", "thesis.odt"])
    }

    @Test func aLinkIsNoCache() throws {
        try scratch.write("photos/catalog", "precious")
        try write(zed)
        try scratch.link("catalogs/\(acme)", to: scratch("photos"))
        caches.prune(besides: [], now: start + CatalogCaches.retention * 2)
        #expect(try DirectoryReader.names(in: scratch("photos"), maximum: 9) == ["catalog"])
        #expect(caches.digests == [])
    }

    @Test(arguments: ["acme", "0123456789ABCDEF", "0123456789abcde", "Not A Name"])
    func whatIsNoDigestIsLeftAlone(_ name: String) throws {
        try write(name, ["catalog"])
        caches.prune(besides: [], now: start + CatalogCaches.retention * 2)
        #expect(scratch.read("catalogs/\(name)/catalog") == "x")
        #expect(caches.digests == [])
    }
}
