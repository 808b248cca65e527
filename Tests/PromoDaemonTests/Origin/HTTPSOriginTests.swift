import PromoCore
@testable import PromoDaemon
import PromoFetch
import PromoTestSupport
import PromoWire
import Synchronization
import Testing

/// Fetches over scripted connections, and fetches that fail before they connect.
struct HTTPSOriginTests {
    private let connections = Connections()
    private let replies = Replies()

    /// The connections that an origin made, in order.
    private final class Connections: Sendable {
        private let made = Mutex<[ScriptedConnection]>([])

        var all: [ScriptedConnection] { made.withLock { $0 } }

        func make() -> ScriptedConnection {
            let connection = ScriptedConnection()
            made.withLock { $0.append(connection) }
            return connection
        }
    }

    private final class Replies: Sendable {
        private let received = Mutex<[OriginReply]>([])

        var all: [OriginReply] { received.withLock { $0 } }

        @Sendable func add(_ reply: OriginReply, _ proxy: Proxies.Used?) {
            received.withLock { $0.append(reply) }
        }
    }

    private static func request(caFile: String? = nil) throws -> OriginRequest {
        OriginRequest(
            url: try #require(HTTPSURL("https://localhost:1/")), validators: Validators(), caFile: caFile,
            maximumBytes: 1000, timeout: .seconds(5))
    }

    private var origin: HTTPSOrigin { origin() }

    private func origin(allowed: Int = FetchQueue.maximum) -> HTTPSOrigin {
        HTTPSOrigin(queue: FetchQueue(allowed: { allowed }) { [connections] _ in connections.make() })
    }

    private static func response(_ status: Int, location: OutsideText? = nil) -> FetchAnswer {
        var head = FetchedHead(status: status)
        head[.location] = location
        return FetchAnswer(head, body: Array("{}".utf8))
    }

    /// Ends the fetch of a connection, and releases the connection.
    private func finish(_ connection: ScriptedConnection) -> Bool {
        connection.answer(Self.response(200))
        connection.finishClosing()
        return comes { connection.isClosing }
    }

    // MARK: Scripted

    @Test func aFetchFollowsARedirectOverTheSameConnectionAndClosesIt() throws {
        _ = origin.fetch(try Self.request(), completion: replies.add)
        let connection = try #require(connections.all.first)
        connection.answer(Self.response(302, location: "https://localhost:1/next"))
        #expect(comes { connection.queries.map(\.url) == ["https://localhost:1/", "https://localhost:1/next"] })
        #expect(replies.all.isEmpty)
        connection.answer(Self.response(200))
        #expect(comes { connection.isClosing })
        #expect(replies.all == [.body(Array("{}".utf8), Validators(address: "https://localhost:1/next"))])
    }

    @Test func aFailureOfTheConnectionIsTheReply() throws {
        _ = origin.fetch(try Self.request(), completion: replies.add)
        let failure = Failure(.timeout, "Nothing came.")
        try #require(connections.all.first).answer(FetchAnswer(failure: failure))
        #expect(comes { replies.all == [.failed(failure, httpStatus: nil, retryAfter: nil)] })
    }

    @Test func theFourthFetchWaitsUntilAConnectionIsReleased() throws {
        let origin = origin
        for _ in 1...5 { _ = origin.fetch(try Self.request(), completion: replies.add) }
        #expect(connections.all.count == FetchQueue.maximumOfOrigin)
        let first = try #require(connections.all.first)
        first.answer(Self.response(200))
        #expect(comes { first.isClosing } && connections.all.count == FetchQueue.maximumOfOrigin)
        first.finishClosing()
        #expect(comes { connections.all.count == FetchQueue.maximumOfOrigin + 1 })
        #expect(comes { connections.all.last?.queries.count == 1 })
    }

    @Test func aCancelledFetchCancelsItsConnection() throws {
        let cancel = origin.fetch(try Self.request(), completion: replies.add)
        cancel()
        #expect(try #require(connections.all.first).isCancelled)
        #expect(replies.all.isEmpty)
    }

    @Test func aFetchThatIsCancelledWhileItWaitsIsAnsweredAtOnceAndNeverSent() throws {
        let origin = origin
        for _ in 1...4 { _ = origin.fetch(try Self.request()) { _, _ in } }
        let cancel = origin.fetch(try Self.request(), completion: replies.add)
        cancel()
        #expect(replies.all == [.failed(Exchange.cancelled, httpStatus: nil, retryAfter: nil)])
        for connection in connections.all { #expect(finish(connection)) }
        #expect(comes { connections.all.count == 4 })
        #expect(finish(try #require(connections.all.last)) && connections.all.count == 4)
    }

    @Test func aFetchThatIsCancelledWhileItsConnectionIsMadeIsCancelled() throws {
        let cancelNow = Mutex<(@Sendable () -> Void)?>(nil)
        let queue = FetchQueue(allowed: { 1 }) { [connections] _ in
            cancelNow.withLock { $0 }?()
            return connections.make()
        }
        let origin = HTTPSOrigin(queue: queue)
        _ = origin.fetch(try Self.request()) { _, _ in }
        let cancel = origin.fetch(try Self.request(), completion: replies.add)
        cancelNow.withLock { $0 = cancel }
        #expect(finish(try #require(connections.all.first)))
        #expect(comes { connections.all.count == 2 && connections.all.last?.isCancelled == true })
    }

    @Test func aConnectionThatCannotBeMadeFreesItsPlace() throws {
        let failure = Failure(.tls, "No certificates.")
        let queue = FetchQueue(allowed: { .max }) { (request) throws(Failure) in
            if request.caFile != nil { throw failure }
            return connections.make()
        }
        let origin = HTTPSOrigin(queue: queue)
        for _ in 1...10 { _ = origin.fetch(try Self.request(caFile: "/nowhere"), completion: replies.add) }
        #expect(replies.all == Array(repeating: .failed(failure, httpStatus: nil, retryAfter: nil), count: 10))
        _ = origin.fetch(try Self.request(), completion: replies.add)
        #expect(connections.all.count == 1)
    }

    private func others(than origin: HTTPSOrigin, _ count: Int) -> [any Origin] {
        (0..<count).map { _ in origin.forAnotherCatalog() }
    }

    @Test func atMost32FetchesAreUnderWay() throws {
        let origin = origin
        let others = others(than: origin, 100)
        for other in others { _ = other.fetch(try Self.request(), completion: replies.add) }
        #expect(connections.all.count == 32)
        for number in 0..<68 {
            #expect(finish(connections.all[number]))
            #expect(comes { connections.all.count == 33 + number })
        }
    }

    @Test func halfOfThePlacesAreForOriginsThatHaveNone() throws {
        let origin = origin
        let greedy = others(than: origin, 6)
        for other in greedy { for _ in 1...3 { _ = other.fetch(try Self.request()) { _, _ in } } }
        #expect(connections.all.count == 16)
        for other in others(than: origin, 16) { _ = other.fetch(try Self.request()) { _, _ in } }
        #expect(connections.all.count == 32)
    }

    @Test func underALowLimitOnDescriptorsFewerFetchesAreUnderWayButAlwaysOne() throws {
        for (allowed, expected) in [(0, 1), (1, 1), (6, 6)] {
            let before = connections.all.count
            let origin = origin(allowed: allowed)
            for other in others(than: origin, 10) { _ = other.fetch(try Self.request()) { _, _ in } }
            #expect(connections.all.count == before + expected)
        }
    }

    // MARK: A run of icons

    @Test func oneFetchLeavesItsConnectionToTheNext() throws {
        let icons = origin.forIcons()
        for count in 1...3 {
            _ = icons.fetch(try Self.request(), completion: replies.add)
            try #require(connections.all.first).answer(Self.response(200))
            #expect(comes { replies.all.count == count } && connections.all.count == 1)
        }
        #expect(connections.all.first?.isClosing == false)
        icons.rest()
        #expect(comes { connections.all.first?.isClosing == true })
    }

    @Test func aConnectionThatIsOverIsLeftToNobody() throws {
        let icons = origin.forIcons()
        let cancel = icons.fetch(try Self.request(), completion: replies.add)
        cancel()
        try #require(connections.all.first).answer(FetchAnswer(failure: Exchange.cancelled))
        #expect(comes { connections.all.first?.isClosing == true })
        _ = icons.fetch(try Self.request(), completion: replies.add)
        #expect(connections.all.count == 2)
    }

    @Test func othersThatWaitGetThePlaceOfARunOfIcons() throws {
        let origin = origin(allowed: 1)
        let icons = origin.forIcons()
        _ = icons.fetch(try Self.request(), completion: replies.add)
        _ = origin.fetch(try Self.request(), completion: replies.add)
        #expect(finish(try #require(connections.all.first)))
        #expect(comes { connections.all.count == 2 })
    }

    @Test func aRunWithOtherCertificatesHasAConnectionOfItsOwn() throws {
        let icons = origin.forIcons()
        _ = icons.fetch(try Self.request(), completion: replies.add)
        try #require(connections.all.first).answer(Self.response(200))
        #expect(comes { replies.all.count == 1 })
        _ = icons.fetch(try Self.request(caFile: "/other"), completion: replies.add)
        #expect(connections.all.count == 2 && comes { connections.all.first?.isClosing == true })
    }
}
