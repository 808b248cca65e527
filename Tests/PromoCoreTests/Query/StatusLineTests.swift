import PromoCore
import PromoWire
import Testing

@Suite struct StatusLineTests {
    private func line(_ desk: Desk) -> String {
        StatusLine.text(desk.snapshot, now: .start) { String($0.rfc3339.dropFirst(11).dropLast(4)) }
    }

    /// A desk with a stored catalog of an hour ago, to be refreshed in 23.
    private func fresh() throws -> Desk {
        var desk = try Desk.serving()
        desk.snapshot.first.cache.isStored = true
        desk.snapshot.first.refresh.nextAt = .start + .hours(23) + .minutes(3)
        return desk
    }

    @Test func itHasTheCatalogAndTheNextRefresh() throws {
        #expect(try line(fresh()) == "5 apps, fetched 07:00, next refresh 07:03")
    }

    @Test func aHistoryThatCannotBeUsedIsReported() throws {
        var desk = try fresh()
        desk.snapshot.reviewsError = "The review history is damaged."
        #expect(line(desk) == "5 apps, fetched 07:00, next refresh 07:03, reviews: The review history is damaged.")
    }

    @Test func oneAppIsSingular() throws {
        #expect(try line(.serving(.of(["a"]))).hasPrefix("1 app, "))
    }

    @Test func itStaysTrueAsTimePasses() throws {
        var desk = try fresh()
        let before = line(desk)
        desk.now = .start + .days(3)
        #expect(line(desk) == before)
    }

    @Test func aFailureToStoreIsReported() throws {
        var desk = try fresh()
        desk.snapshot.first.cache.isStored = false
        #expect(line(desk) == "5 apps, fetched 07:00, not stored on disk, next refresh 07:03")
    }

    @Test func theSampleIsCalledASample() throws {
        #expect(
            try line(.serving(fetchedAt: nil)) == "the sample of 5 apps")
        let desk = Desk(snapshot: Snapshot(cachePath: "/cache"))
        #expect(line(desk) == "No catalog is configured")
    }

    @Test func thatThereIsNoCatalogYetIsReported() {
        #expect(line(.empty()) == "no catalog yet")
        #expect(line(.loading()) == "no catalog yet, fetching")
    }

    @Test func theLastErrorIsReported() throws {
        var desk = try fresh()
        desk.snapshot.first.refresh.lastError = Failure(.tls, "The certificate has expired.")
        #expect(line(desk) == "5 apps, fetched 07:00, next refresh 07:03, last error: The certificate has expired.")
    }

    @Test func aBadConfigurationIsReportedInsteadOfTheNextRefresh() throws {
        var desk = try fresh()
        desk.snapshot.configuration.error = "config.toml:3: what?"
        #expect(line(desk) == "5 apps, fetched 07:00, bad configuration: config.toml:3: what?")
    }
}
