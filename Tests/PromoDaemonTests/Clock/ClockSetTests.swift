import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// The clock is set while promod runs.
struct ClockSetTests {
    private let stage: Stage

    init() throws {
        stage = try Stage()
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
            #expect(age == .seconds(7200))
            stage.setClock(by: .seconds(-3600))
        }
        #expect(age == .seconds(3600))
        #expect(stage.scratch.read("cache/catalog") == file)
        #expect(stage.origin.waiting == 0)
    }

    @Test func aRefreshThatIsDueByTheNewClockBegins() {
        stage.setClock(by: .seconds(10 * 86_400))
        #expect(stage.snapshot.catalog.freshness(now: stage.now).state == .cached)
        #expect(stage.snapshot.catalog.refresh.reason == .resume)
    }
}
