import PromoCore
@testable import PromoDaemon
import PromoFetch
import PromoWire
import Testing

/// What a publisher is told of how an origin delivers.
struct DeliveryTests {
    private let url: HTTPSURL
    private let target: HTTPSURL

    init() throws {
        url = try #require(HTTPSURL("https://a.example/c.json?token=hunter2"))
        target = try #require(HTTPSURL("https://b.example/d.json"))
    }

    private func head(_ change: (inout FetchedHead) -> Void = { _ in }) -> FetchedHead {
        var head = FetchedHead(status: 200, phrase: "OK")
        head[.etag] = "\"1\""
        head.isCompressed = true
        change(&head)
        return head
    }

    private func remarks(
        _ head: FetchedHead, bytes: Int = 5000, second: Delivery.Second = .notModified, before: [OriginHop] = []
    ) -> [String] {
        let url = before.isEmpty ? url : target
        return Delivery(
            hops: before + [OriginHop(url: url, head: head)], bytes: bytes,
            validators: Validators(received: head[.etag], lastModified: head[.lastModified]), second: second
        )
        .remarks
    }

    @Test func ofAGoodOriginNothingIsSaid() {
        #expect(remarks(head()) == [])
        #expect(remarks(head { $0[.age] = "3599" }) == [])
        #expect(remarks(head { $0.isCompressed = false }, bytes: 1200) == [])
        #expect(remarks(head(), before: [OriginHop(url: url, head: FetchedHead(status: 302))]) == [])
    }

    @Test(arguments: [301, 308]) func aMoveForGoodIsToldWithItsTargetAndWithoutSecrets(status: Int) {
        let said = remarks(head(), before: [OriginHop(url: url, head: FetchedHead(status: status))])
        #expect(said.count == 1 && said.allSatisfy { !$0.contains("hunter2") })
        #expect(said.first?.contains("has moved for good (\(status)) to https://b.example/d.json") == true)
    }

    @Test func ofSeveralMovesTheLastForGoodCounts() throws {
        let middle = try #require(HTTPSURL("https://m.example/c.json"))
        let hops = [
            OriginHop(url: url, head: FetchedHead(status: 301)), OriginHop(url: middle, head: FetchedHead(status: 302)),
        ]
        let said = remarks(head(), before: hops)
        #expect(said.first?.contains("to https://m.example/c.json. ") == true)
        #expect(said.first?.contains("costs 3 requests") == true)
    }

    @Test func aWholeResponseToAConditionalRequestIsToldWithItsCause() {
        func said(_ second: Delivery.Second, _ change: (inout FetchedHead) -> Void = { _ in }) -> String {
            remarks(head(change), second: second).joined()
        }
        #expect(said(.body(isSame: true)).contains("with its own ETag with a whole catalog instead of 304"))
        #expect(!said(.body(isSame: true)).contains("Apache"))
        #expect(said(.body(isSame: true)) { $0[.etag] = "\"2c-gzip\"" }.contains("DeflateAlterETag NoChange"))
        let dated = said(.body(isSame: true)) { ($0[.etag], $0[.lastModified]) = (nil, "then") }
        #expect(dated.contains("its own Last-Modified"))
        #expect(said(.body(isSame: true)) { $0[.etag] = nil }.contains("neither ETag nor Last-Modified"))
        #expect(said(.body(isSame: true)) { $0[.etag] = "*" }.contains("The origin's ETag is of no use"))
        #expect(said(.body(isSame: false)).contains("changed between two requests"))
        #expect(
            said(.failed(Failure(.timeout, "No answer."))).contains(
                "A second request failed; does the origin limit their rate? No answer."))
    }

    @Test func aCopyThatIsHoursOldIsTold() {
        #expect(remarks(head { $0[.age] = "7200" }).joined().contains("a cache that has had it for 2 hours"))
    }

    @Test func aLargeBodyThatIsNotCompressedIsTold() {
        #expect(remarks(head { $0.isCompressed = false }).joined().contains("sends 5000 bytes uncompressed"))
    }
}
