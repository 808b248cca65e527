import NIOHTTP1
import PromoCore
@testable import PromoDaemon
import PromoWire
import Testing

/// The requests of a fetch and its handling of responses, without a network.
struct ExchangeTests {
    private static func exchange(
        _ url: String = "https://example.com/c.json", etag: OutsideText? = nil, lastModified: OutsideText? = nil,
        maximumBytes: Int = 1000
    ) throws -> Exchange {
        Exchange(
            OriginRequest(
                url: try #require(HTTPSURL(url)),
                validators: Validators(received: etag, lastModified: lastModified), caFile: nil,
                maximumBytes: maximumBytes, timeout: .seconds(5)))
    }

    private static func response(
        _ status: HTTPResponseStatus, _ headers: HTTPHeaders = [:], _ body: String = ""
    ) -> ReceivedResponse {
        ReceivedResponse(
            head: HTTPResponseHead(version: .http1_1, status: status, headers: headers), body: Array(body.utf8))
    }

    private func failure(_ step: Exchange.Step) throws -> (failure: Failure, status: Int?, retryAfter: OutsideText?) {
        guard case .end(.failed(let failure, let status, let retryAfter)) = step else {
            throw NotAFailure(step: "\(step)")
        }
        return (failure, status, retryAfter)
    }

    private struct NotAFailure: Error {
        let step: String
    }

    @Test func theFirstRequestHasPromodsHeaders() throws {
        let query = try Self.exchange().query
        #expect(query.url.description == "https://example.com/c.json")
        #expect(query.headers["accept"] == ["application/json"])
        #expect(query.headers["accept-encoding"] == ["gzip"])
        #expect(query.headers["user-agent"] == ["promod/\(Version.current)"])
        #expect(!query.headers.contains(name: "if-none-match"))
        #expect(!query.headers.contains(name: "if-modified-since"))
        #expect(!query.headers.contains(name: "authorization"))
    }

    @Test func validatorsMakeTheRequestConditional() throws {
        let headers = try Self.exchange(etag: "\"a\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT").query.headers
        #expect(headers["if-none-match"] == ["\"a\""])
        #expect(headers["if-modified-since"] == ["Sun, 06 Nov 1994 08:49:37 GMT"])
    }

    @Test func aBodyComesWithItsValidators() throws {
        var exchange = try Self.exchange()
        let step = exchange.received(Self.response(.ok, ["ETag": "\"b\""], "{}"))
        #expect(step == .end(.body(Array("{}".utf8), Validators(received: "\"b\"", lastModified: nil))))
    }

    @Test func notModifiedIsOnlyAnAnswerToAConditionalRequest() throws {
        var conditional = try Self.exchange(etag: "\"a\"")
        #expect(
            conditional.received(Self.response(.notModified, ["ETag": "\"b\""]))
                == .end(.notModified(Validators(received: "\"b\"", lastModified: nil))))
        var unconditional = try Self.exchange()
        let (failure, status, retryAfter) = try failure(
            unconditional.received(Self.response(.notModified, ["Retry-After": "10"])))
        #expect(failure.code == .httpStatus)
        #expect(status == 304)
        #expect(retryAfter == nil)
    }

    @Test(arguments: [204, 206, 300, 400, 404, 429, 500, 503])
    func anyOtherStatusIsAFailureWithItsNumberAndRetryAfter(code: Int) throws {
        var exchange = try Self.exchange()
        let step = exchange.received(Self.response(HTTPResponseStatus(statusCode: code), ["Retry-After": "120"]))
        let (failure, status, retryAfter) = try failure(step)
        #expect(failure.code == .httpStatus)
        #expect(failure.message.contains("\(code)"))
        #expect(status == code)
        #expect(retryAfter == "120")
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func aRedirectLeadsToTheNextRequest(code: Int) throws {
        var exchange = try Self.exchange("https://example.com/a/c.json", etag: "\"a\"")
        let step = exchange.received(Self.response(HTTPResponseStatus(statusCode: code), ["Location": "../b.json"]))
        #expect(step == .send(exchange.query))
        #expect(exchange.query.url.description == "https://example.com/b.json")
        #expect(exchange.query.headers["if-none-match"] == ["\"a\""])
    }

    @Test(arguments: ["http://example.com/c.json", "file:///etc/passwd", "ftp://example.com/", "https://exa mple.com/"])
    func aRedirectToAnythingButHTTPSIsRefused(location: String) throws {
        var exchange = try Self.exchange()
        let (failure, status, _) = try failure(exchange.received(Self.response(.found, ["Location": location])))
        #expect(failure.code == .redirect)
        #expect(status == nil)
    }

    @Test func aRedirectWithoutALocationIsRefused() throws {
        var exchange = try Self.exchange()
        #expect(try failure(exchange.received(Self.response(.found))).failure.code == .redirect)
    }

    @Test func theSixthRedirectIsRefused() throws {
        var exchange = try Self.exchange()
        for number in 1...5 {
            let step = exchange.received(Self.response(.found, ["Location": "/\(number)"]))
            #expect(step == .send(exchange.query))
        }
        let (failure, _, _) = try failure(exchange.received(Self.response(.found, ["Location": "/6"])))
        #expect(failure.code == .redirect)
        #expect(failure.message.contains("more than 5 times"))
        #expect(failure.message.contains("https://example.com/c.json"))
    }

    @Test func credentialsStayWithTheOriginOfTheConfiguredAddress() throws {
        var exchange = try Self.exchange("https://ana:secret@example.com/c.json")
        #expect(exchange.query.headers["authorization"] == ["Basic YW5hOnNlY3JldA=="])
        _ = exchange.received(Self.response(.found, ["Location": "/other"]))
        #expect(exchange.query.headers["authorization"] == ["Basic YW5hOnNlY3JldA=="])
        for elsewhere in ["https://other.example.com/", "https://example.com:8443/"] {
            _ = exchange.received(Self.response(.found, ["Location": elsewhere]))
            #expect(!exchange.query.headers.contains(name: "authorization"), "\(elsewhere)")
        }
    }

    @Test func aFailureShowsNoCredentials() throws {
        var exchange = try Self.exchange("https://ana:secret@example.com/c.json?token=secret")
        let (failure, _, _) = try failure(exchange.received(Self.response(.notFound)))
        #expect(!failure.message.contains("secret"))
    }

    @Test func anUnrequestedEncodingIsRefused() throws {
        var exchange = try Self.exchange()
        let (failure, _, _) = try failure(exchange.received(Self.response(.ok, ["Content-Encoding": "br"], "x")))
        #expect(failure.code == .encoding)
        #expect(failure.message.contains("br"))
    }

    @Test func brokenGzipIsRefused() throws {
        var exchange = try Self.exchange()
        let step = exchange.received(Self.response(.ok, ["Content-Encoding": "GZIP"], "no gzip"))
        #expect(try failure(step).failure.code == .encoding)
    }

    @Test func identityIsNoEncoding() throws {
        var exchange = try Self.exchange()
        let step = exchange.received(Self.response(.ok, ["Content-Encoding": "Identity"], "{}"))
        #expect(step == .end(.body(Array("{}".utf8), Validators())))
    }
}
