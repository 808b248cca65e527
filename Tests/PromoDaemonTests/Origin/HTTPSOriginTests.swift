import Dispatch
import Glibc
import NIOHTTP1
import PromoCore
@testable import PromoDaemon
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

        func add(_ reply: OriginReply) {
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

    private static func response(_ status: HTTPResponseStatus, location: String? = nil) -> ReceivedResponse {
        var head = HTTPResponseHead(version: .http1_1, status: status)
        if let location { head.headers.add(name: "Location", value: location) }
        return ReceivedResponse(head: head, body: Array("{}".utf8))
    }

    private static let body = OriginReply.body(Array("{}".utf8), Validators())

    // MARK: Scripted

    @Test func aFetchFollowsARedirectOverTheSameConnectionAndClosesIt() throws {
        _ = origin.fetch(try Self.request(), completion: replies.add)
        let connection = try #require(connections.all.first)
        connection.answer(.success(Self.response(.found, location: "/next")))
        #expect(connection.queries.map(\.url.description) == ["https://localhost:1/", "https://localhost:1/next"])
        #expect(replies.all.isEmpty)
        connection.answer(.success(Self.response(.ok)))
        #expect(replies.all == [Self.body])
        #expect(connection.isClosing)
    }

    @Test func aFailureOfTheConnectionIsTheReply() throws {
        _ = origin.fetch(try Self.request(), completion: replies.add)
        let failure = Failure(.timeout, "Nothing came.")
        try #require(connections.all.first).answer(.failure(failure))
        #expect(replies.all == [.failed(failure, httpStatus: nil, retryAfter: nil)])
    }

    @Test func theFourthFetchWaitsUntilAConnectionIsReleased() throws {
        let origin = origin
        for _ in 1...5 { _ = origin.fetch(try Self.request(), completion: replies.add) }
        #expect(connections.all.count == FetchQueue.maximumOfOrigin)
        let first = try #require(connections.all.first)
        first.answer(.success(Self.response(.ok)))
        #expect(connections.all.count == FetchQueue.maximumOfOrigin)
        first.finishClosing()
        #expect(connections.all.count == FetchQueue.maximumOfOrigin + 1)
        #expect(connections.all.last?.queries.count == 1)
    }

    @Test func aCancelledFetchCancelsItsConnection() throws {
        let cancel = origin.fetch(try Self.request(), completion: replies.add)
        cancel()
        #expect(try #require(connections.all.first).isCancelled)
        #expect(replies.all.isEmpty)
    }

    @Test func aFetchThatIsCancelledWhileItWaitsIsAnsweredAtOnceAndNeverSent() throws {
        let origin = origin
        for _ in 1...4 { _ = origin.fetch(try Self.request()) { _ in } }
        let cancel = origin.fetch(try Self.request(), completion: replies.add)
        cancel()
        #expect(replies.all == [.failed(FetchFailures.cancelled, httpStatus: nil, retryAfter: nil)])
        let first = try #require(connections.all.first)
        first.answer(.success(Self.response(.ok)))
        first.finishClosing()
        #expect(connections.all.count == 4)
    }

    @Test func aFetchThatIsCancelledWhileItsConnectionIsMadeIsCancelled() throws {
        let cancelNow = Mutex<(@Sendable () -> Void)?>(nil)
        let queue = FetchQueue(allowed: { 1 }) { [connections] _ in
            cancelNow.withLock { $0 }?()
            return connections.make()
        }
        let origin = HTTPSOrigin(queue: queue)
        _ = origin.fetch(try Self.request()) { _ in }
        let cancel = origin.fetch(try Self.request(), completion: replies.add)
        cancelNow.withLock { $0 = cancel }
        let first = try #require(connections.all.first)
        first.answer(.success(Self.response(.ok)))
        first.finishClosing()
        #expect(try #require(connections.all.last).isCancelled && connections.all.count == 2)
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

    @Test func atMost64FetchesAreUnderWay() throws {
        let origin = origin
        let others = others(than: origin, 100)
        for other in others { _ = other.fetch(try Self.request(), completion: replies.add) }
        #expect(connections.all.count == 64)
        for connection in connections.all {
            connection.answer(.success(Self.response(.ok)))
            connection.finishClosing()
        }
        #expect(connections.all.count == 100)
    }

    @Test func halfOfThePlacesAreForOriginsThatHaveNone() throws {
        let origin = origin
        let greedy = others(than: origin, 11)
        for other in greedy { for _ in 1...3 { _ = other.fetch(try Self.request()) { _ in } } }
        #expect(connections.all.count == 32)
        for other in others(than: origin, 32) { _ = other.fetch(try Self.request()) { _ in } }
        #expect(connections.all.count == 64)
    }

    @Test func underALowLimitOnDescriptorsFewerFetchesAreUnderWayButAlwaysOne() throws {
        for (allowed, expected) in [(0, 1), (1, 1), (6, 6)] {
            let before = connections.all.count
            let origin = origin(allowed: allowed)
            for other in others(than: origin, 10) { _ = other.fetch(try Self.request()) { _ in } }
            #expect(connections.all.count == before + expected)
        }
    }

    // MARK: On this machine

    private func fetch(caFile: String) throws -> OriginReply? {
        let ended = DispatchSemaphore(value: 0)
        _ = HTTPSOrigin().fetch(try Self.request(caFile: caFile)) { [replies] reply in
            replies.add(reply)
            ended.signal()
        }
        ended.wait()
        return replies.all.first
    }

    @Test func aFIFOInPlaceOfTheCAFileDoesNotHang() throws {
        let scratch = try ScratchDirectory()
        #expect(mkfifo(scratch("ca.pem"), 0o600) == 0)
        guard case .failed(let failure, nil, nil) = try fetch(caFile: scratch("ca.pem")) else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure.code == .tls)
        #expect(failure.message.contains("catalog.ca-file: cannot read \(scratch("ca.pem"))"))
    }

    @Test func aCAFileWithoutCertificatesIsNamed() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("ca.pem", "no certificates")
        guard case .failed(let failure, nil, nil) = try fetch(caFile: scratch("ca.pem")) else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure.code == .tls)
        #expect(failure.message.contains(scratch("ca.pem")))
    }
}
