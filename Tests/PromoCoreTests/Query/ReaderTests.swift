import PromoCore
import PromoWire
import Testing

/// Replies while another promod keeps the cache.
@Suite struct ReaderTests {
    private func desk(_ desk: Desk) -> Desk {
        var desk = desk
        desk.snapshot.owner = CacheOwner(pid: 4711, host: "alpha")
        return desk
    }

    @Test func anExpiredCatalogIsListedAndItsRefreshIsNotDueHere() throws {
        let reply = try desk(.serving(fetchedAt: .start - .days(2))).ask(#"{"method":"list"}"#)
        #expect(reply.answer == .written())
        #expect(try reply.result["state"] == "cached")
    }

    @Test func nobodyIsOfferedARetryAndAWaitEndsAtOnce() throws {
        let reply = try desk(.empty()).ask(#"{"method":"list","wait":true}"#)
        #expect(try reply.result["canRetry"] == false)
        #expect(try reply.result["retryAt"] == .null)
    }

    @Test func theStatusNamesTheOwner() throws {
        let reply = try desk(.serving()).ask(#"{"method":"status"}"#)
        #expect(try reply.result["owner"] == ["host": "alpha", "pid": 4711])
    }
}
