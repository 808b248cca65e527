import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Synchronization
import Testing

/// The clock is set while promod runs.
struct ClockSetTests {
    private let stage: Stage

    init() throws {
        stage = try Stage(spread: .seconds(1))
        stage.origin.answer(.body(SampleCatalog.bytes, Validators(etag: "\"1\"")))
        stage.settle()
        stage.advance(.seconds(3600))
    }

    private var age: Duration? { stage.snapshot.catalog.served?.fetchedAt.map { stage.now - $0 } }

    @Test(arguments: [-60, -86_400, -315_360_000])
    func setBackTheCatalogIsAsOldAsItWasAlsoOnDisk(seconds: Int) throws {
        let before = try #require(stage.snapshot.catalog.refresh.nextAt)
        stage.setClock(by: .seconds(seconds))
        #expect(age == .seconds(3600))
        #expect(stage.snapshot.catalog.refresh.nextAt == before + .seconds(seconds))
        let header = stage.scratch.read("cache/catalog").prefix { $0 != "\n" }
        #expect(header.contains("\"fetchedAt\":\"\((stage.now - .seconds(3600)).rfc3339)\""))
        #expect(stage.origin.waiting == 0)
    }

    @Test func backAndForthTheFileIsWrittenOnceWithTheGreaterAge() throws {
        stage.setClock(by: .seconds(-3600))
        let file = stage.scratch.read("cache/catalog")
        for _ in 0..<10 {
            stage.setClock(by: .seconds(3600))
            #expect(age == .seconds(3600))
            stage.setClock(by: .seconds(-3600))
        }
        #expect(age == .seconds(3600))
        #expect(stage.scratch.read("cache/catalog") == file)
        #expect(stage.origin.waiting == 0)
    }

    @Test func whatAnotherOriginAskedForLastsAsLong() throws {
        _ = stage.ask(.refresh(.init(wait: false)))
        stage.origin.answer(.failed(Failure(.httpStatus, "429"), httpStatus: 429, retryAfter: "7200"))
        stage.settle()
        stage.configure(url: "https://example.org/other.json")
        stage.onPlane { _ = try? $0.reload() }
        stage.setClock(by: .seconds(-2 * 86_400))
        stage.configure(url: "https://example.com/c.json")
        stage.onPlane { _ = try? $0.reload() }
        #expect(stage.snapshot.catalog.refresh.retryAfter == stage.now + .seconds(7200))
    }

    @Test func aStepBeforeTheStartIsFollowed() throws {
        let clock = Mutex(SteadyClock.Reading(wall: Timestamp(seconds: 1_800_000_000), boot: 0))
        let steady = SteadyClock { clock.withLock { $0 } }
        let stage = try Stage(clock: steady) {
            clock.withLock { $0.wall = $0.wall - .seconds(36_000) }
            _ = steady.now()
        }
        #expect(steady.now() == clock.withLock { $0.wall })
        #expect(stage.snapshot.catalog.freshness(now: steady.now()).state == .loading)
    }

    @Test func aRefreshThatIsDueByTheNewClockBegins() {
        stage.setClock(by: .seconds(10 * 86_400))
        #expect(stage.snapshot.catalog.freshness(now: stage.now).state == .cached)
        #expect(stage.snapshot.catalog.refresh.reason == .resume)
    }
}
