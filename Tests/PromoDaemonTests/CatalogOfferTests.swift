import Logging
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// An offer: a catalog that `promod configure` fetched and left for the daemon.
struct CatalogOfferTests {
    private let scratch: ScratchDirectory
    private let directory: PrivateDirectory
    private let store: CatalogStore
    private let url = HTTPSURL("https://example.com/catalog.json")

    private static let now = Timestamp(seconds: 1_790_000_000)

    init() throws {
        scratch = try ScratchDirectory()
        directory = PrivateDirectory(path: scratch.path)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        store = CatalogStore(
            directory: directory,
            signatures: SignatureStore(directory: PrivateDirectory(path: scratch("state")), logger: logger),
            log: CatalogLog(logger: logger, name: "default", naming: CatalogLog.Naming()))
    }

    private func offer(_ bytes: [UInt8] = SampleCatalog.bytes, of address: String, at time: Timestamp = now) throws {
        let url = try #require(HTTPSURL(address))
        try CatalogFile.offer(in: directory).replace(
            with: CatalogContents(bytes, of: url, validators: Validators(etag: "\"a\""), at: time))
    }

    private var isThere: Bool { scratch.read("catalog.offered") != "" }

    @Test func anOfferFromThisAddressIsTakenOnceAndStored() throws {
        try offer(of: "https://example.com/catalog.json")
        let held = try #require(store.takeOffer(of: url, over: nil, now: Self.now))
        #expect(held.fetchedAt == Self.now)
        #expect(held.isStored)
        #expect(held.contents?.header.validators == Validators(etag: "\"a\""))
        #expect(!isThere)
        #expect(store.load(url: url, now: Self.now)?.generation == held.generation)
        #expect(store.takeOffer(of: url, over: held, now: Self.now) == nil)
    }

    @Test func anOfferFromAnotherAddressIsRemoved() throws {
        for configured in [HTTPSURL("https://example.com/other.json"), nil] {
            try offer(of: "https://example.com/catalog.json")
            #expect(store.takeOffer(of: configured, over: nil, now: Self.now) == nil)
            #expect(!isThere)
        }
    }

    @Test func anOfferReplacesACatalogFromTheFuture() throws {
        try offer(of: "https://example.com/catalog.json", at: Self.now + .seconds(301))
        let future = try #require(store.takeOffer(of: url, over: nil, now: Self.now))
        try offer(of: "https://example.com/catalog.json")
        #expect(store.takeOffer(of: url, over: future, now: Self.now)?.fetchedAt == Self.now)
    }

    @Test func anOfferThatIsNotNewerChangesNothing() throws {
        try offer(of: "https://example.com/catalog.json")
        let held = try #require(store.takeOffer(of: url, over: nil, now: Self.now))
        for time in [Self.now, Self.now - .seconds(60)] {
            try offer(of: "https://example.com/catalog.json", at: time)
            #expect(store.takeOffer(of: url, over: held, now: Self.now) == nil)
            #expect(!isThere)
        }
    }

    @Test func aBrokenOfferChangesNothing() throws {
        try offer(Array("{}".utf8), of: "https://example.com/catalog.json")
        #expect(store.takeOffer(of: url, over: nil, now: Self.now) == nil)
        #expect(!isThere)
        try scratch.write("catalog.offered", "not a catalog")
        #expect(store.takeOffer(of: url, over: nil, now: Self.now) == nil)
        #expect(scratch.read("catalog") == "")
    }
}
