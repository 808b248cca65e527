import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Synchronization
import Testing

/// Fetches over scripted connections, and fetches that fail before they connect.
final class HTTPSOriginTests {
    private let connections = Connections()
    private let replies = Replies()

    /// The connections that an origin made, in order.
    private final class Connections: Sendable {
        private let made = Mutex<[ScriptedConnection]>([])
        private let isOver = Mutex(false)

        var all: [ScriptedConnection] { made.withLock { $0 } }

        func make() -> ScriptedConnection {
            let connection = ScriptedConnection()
            made.withLock { $0.append(connection) }
            if isOver.withLock({ $0 }) { connection.end() }
            return connection
        }

        /// Ends them and all that follow, so that no thread of this test waits on during others.
        func end() {
            isOver.withLock { $0 = true }
            for connection in all { connection.end() }
        }
    }

    private final class Replies: Sendable {
        private let received = Mutex<[OriginReply]>([])

        var all: [OriginReply] { received.withLock { $0 } }

        @Sendable func add(_ reply: OriginReply) {
            received.withLock { $0.append(reply) }
        }
    }

    deinit {
        connections.end()
    }

    private static func request(caFile: String? = nil) throws -> OriginRequest {
        OriginRequest(
            url: try #require(HTTPSURL("https://localhost:1/")), validators: Validators(), caFile: caFile,
            maximumBytes: 1000, timeout: .seconds(5))
    }

    private func origin() -> HTTPSOrigin {
        HTTPSOrigin { [connections] _ in connections.make() }
    }

    /// The connection of a number, which an origin makes soon.
    private func connection(_ number: Int) throws -> ScriptedConnection {
        #expect(comes { connections.all.count >= number })
        return try #require(connections.all.dropFirst(number - 1).first)
    }

    private static let cancelled = OriginReply.failed(Exchange.cancelled, httpStatus: nil, retryAfter: nil)

    private static var answer: FetchAnswer {
        var answer = FetchAnswer()
        (answer.status, answer.address, answer.body) = (200, "https://localhost:1/", Array("{}".utf8))
        return answer
    }

    /// Ends the fetch of a connection, and releases the connection.
    private func finish(_ connection: ScriptedConnection) -> Bool {
        connection.answer(Self.answer)
        connection.finishClosing()
        return comes { connection.isClosing }
    }

    // MARK: Scripted

    @Test func aFetchHasThePreparedConnectionAndARestClosesOneThatIsOfNoUse() throws {
        let origin = origin()
        origin.prepare(for: try Self.request())
        origin.rest()
        let unused = try connection(1)
        #expect(comes { unused.isClosing })
        #expect(unused.queries == [])
        unused.finishClosing()
        origin.prepare(for: try Self.request())
        let prepared = try connection(2)
        _ = origin.fetch(try Self.request(), completion: replies.add)
        #expect(finish(prepared))
        #expect(connections.all.count == 2)
        #expect(replies.all == [.body(Array("{}".utf8), Validators())])
    }

    @Test func aFetchWaitsUntilTheConnectionOfTheOneBeforeIsClosed() throws {
        let origin = origin()
        for _ in 1...2 { _ = origin.fetch(try Self.request(), completion: replies.add) }
        let first = try connection(1)
        first.answer(Self.answer)
        #expect(comes { first.isClosing })
        #expect(connections.all.count == 1)
        first.finishClosing()
        #expect(comes { connections.all.count == 2 })
    }

    @Test func aCancelledFetchEndsAtOnceAndCancelsItsConnection() throws {
        let cancel = origin().fetch(try Self.request(), completion: replies.add)
        let connection = try connection(1)
        #expect(comes { connection.queries.count == 1 })
        cancel()
        #expect(connection.isCancelled)
        connection.answer(Self.answer)
        #expect(comes { connection.isClosing })
        #expect(replies.all == [Self.cancelled])
        cancel()
        #expect(replies.all.count == 1)
    }

    @Test func aFetchThatIsCancelledWhileItWaitsIsAnsweredAtOnceAndNeverSent() throws {
        let origin = origin()
        _ = origin.fetch(try Self.request()) { _ in }
        let cancel = origin.fetch(try Self.request(), completion: replies.add)
        _ = origin.fetch(try Self.request()) { _ in }
        cancel()
        #expect(replies.all == [Self.cancelled])
        #expect(finish(try connection(1)))
        #expect(finish(try connection(2)))
        #expect(connections.all.count == 2)
    }

    @Test func aConnectionThatCannotBeMadeDelaysNoOther() throws {
        let failure = Failure(.tls, "No certificates.")
        let origin = HTTPSOrigin { [connections] (request) throws(Failure) in
            if request.caFile != nil { throw failure }
            return connections.make()
        }
        for _ in 1...10 { _ = origin.fetch(try Self.request(caFile: "/nowhere"), completion: replies.add) }
        _ = origin.fetch(try Self.request(), completion: replies.add)
        #expect(comes { connections.all.count == 1 })
        #expect(replies.all == Array(repeating: .failed(failure, httpStatus: nil, retryAfter: nil), count: 10))
    }

    // MARK: A run of icons

    @Test func oneFetchLeavesItsConnectionToTheNext() throws {
        let icons = origin().forIcons()
        for count in 1...3 {
            _ = icons.fetch(try Self.request(), completion: replies.add)
            try connection(1).answer(Self.answer)
            #expect(comes { replies.all.count == count })
            #expect(connections.all.count == 1)
        }
        #expect(connections.all.first?.isClosing == false)
        icons.rest()
        #expect(comes { connections.all.first?.isClosing == true })
    }

    @Test(arguments: [true, false]) func aRunWithOtherCertificatesOrProxiesHasAConnectionOfItsOwn(isProxy: Bool) throws
    {
        let icons = origin().forIcons()
        _ = icons.fetch(try Self.request(), completion: replies.add)
        let first = try connection(1)
        first.answer(Self.answer)
        #expect(comes { replies.all.count == 1 })
        var request = try Self.request(caFile: isProxy ? nil : "/other")
        if isProxy { request.proxies = Proxies(nil, environment: ["https_proxy": "p:1"]) }
        _ = icons.fetch(request, completion: replies.add)
        #expect(comes { first.isClosing })
        first.finishClosing()
        #expect(comes { connections.all.count == 2 })
    }
}
