import PromoCore
@testable import PromoDaemon
import PromoWire
import Testing

/// The requests of a fetch and its handling of responses, without a network.
struct ExchangeTests {
    private static func exchange(
        _ url: String = "https://example.com/c.json", etag: OutsideText? = nil, lastModified: OutsideText? = nil,
        validators: Validators? = nil, maximumBytes: Int = 1000
    ) throws -> Exchange {
        Exchange(
            OriginRequest(
                url: try #require(HTTPSURL(url)),
                validators: validators ?? Validators(received: etag, lastModified: lastModified), caFile: nil,
                maximumBytes: maximumBytes, timeout: .seconds(5)))
    }

    private static func response(
        _ status: Int, location: OutsideText? = nil, etag: OutsideText? = nil, retryAfter: OutsideText? = nil,
        _ body: String = ""
    ) -> FetchAnswer {
        var head = FetchedHead(status: status, phrase: "Words")
        (head[.location], head[.etag], head[.retryAfter]) = (location, etag, retryAfter)
        return FetchAnswer(head, body: Array(body.utf8))
    }

    private func failure(_ reply: OriginReply?) throws -> (failure: Failure, status: Int?, retryAfter: OutsideText?) {
        guard case .failed(let failure, let status, let retryAfter) = reply else {
            throw NotAFailure(reply: "\(String(describing: reply))")
        }
        return (failure, status, retryAfter)
    }

    private struct NotAFailure: Error {
        let reply: String
    }

    @Test func theFirstRequestHasPromodsHeaders() throws {
        let query = try Self.exchange().query(milliseconds: 7)
        #expect(
            query.url.description == "https://example.com/c.json" && query.milliseconds == 7
                && query.maximumBytes == 1000)
        #expect(
            query.headers == [
                "User-Agent: promod/\(Version.current)", "Accept: application/json", "Accept-Encoding: gzip",
            ])
    }

    @Test func validatorsMakeTheRequestConditional() throws {
        let headers = try Self.exchange(etag: "\"a\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT").query(
            milliseconds: 1
        ).headers
        #expect(headers.contains("If-None-Match: \"a\""))
        #expect(headers.contains("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"))
    }

    @Test func aBodyComesWithItsValidators() throws {
        var exchange = try Self.exchange()
        let reply = exchange.received(Self.response(200, etag: "\"b\"", "{}"))
        #expect(reply == .body(Array("{}".utf8), Validators(received: "\"b\"", lastModified: nil)))
    }

    @Test func notModifiedIsOnlyAnAnswerToAConditionalRequest() throws {
        var conditional = try Self.exchange(etag: "\"a\"")
        #expect(
            conditional.received(Self.response(304, etag: "\"b\""))
                == .notModified(Validators(received: "\"b\"", lastModified: nil)))
        var unconditional = try Self.exchange()
        let (failure, status, retryAfter) = try failure(
            unconditional.received(Self.response(304, retryAfter: "10")))
        #expect(failure.code == .httpStatus)
        #expect(status == 304)
        #expect(retryAfter == nil)
    }

    @Test(
        arguments: [204, 206, 300, 400, 401].map { ($0, ProblemCode.httpStatus) } + [404, 410].map { ($0, .notFound) }
            + [408, 429, 500, 503].map { ($0, .unavailable) })
    func anyOtherStatusIsAFailureWithItsNumberAndRetryAfter(code: Int, problem: ProblemCode) throws {
        var exchange = try Self.exchange()
        let reply = exchange.received(Self.response(code, retryAfter: "120"))
        let (failure, status, retryAfter) = try failure(reply)
        #expect(failure.code == problem)
        #expect(failure.message.contains("\(code)"))
        #expect(status == code)
        #expect(retryAfter == "120")
    }

    /// Validators count only at the address that sent them (RFC 9111 §4.3).
    @Test(arguments: [nil, "https://example.com/b.json", "https://example.com/other.json"])
    func validatorsAreSentOnlyToTheAddressTheyCameFrom(address: String?) throws {
        var exchange = try Self.exchange(
            "https://example.com/c.json", validators: Validators(etag: "\"a\"", lastModified: "Mon", address: address))
        func isConditional() -> Bool {
            let sent = exchange.query(milliseconds: 1).headers.filter { $0.hasPrefix("If-") }
            #expect(sent.isEmpty || sent == ["If-None-Match: \"a\"", "If-Modified-Since: Mon"])
            return !sent.isEmpty
        }
        #expect(isConditional() == (address == nil))
        _ = exchange.received(Self.response(302, location: "https://example.com/b.json"))
        let isOwn = address == "https://example.com/b.json"
        #expect(isConditional() == isOwn)
        let reply = exchange.received(Self.response(304))
        if isOwn {
            #expect(reply == .notModified(Validators(address: address)))
        } else {
            #expect(try failure(reply).failure.message.contains("without conditions"))
        }
    }

    @Test(arguments: [
        "http://example.com/c.json", "file:///etc/passwd", "ftp://example.com/", "https://exa mple.com/", "",
    ])
    func aRedirectToAnythingButHTTPSIsRefused(location: String) throws {
        var exchange = try Self.exchange()
        let (failure, status, _) = try failure(exchange.received(Self.response(302, location: OutsideText(location))))
        #expect(failure.code == .redirect)
        #expect(status == nil)
    }

    @Test func aRedirectBackToTheAddressItselfIsNone() throws {
        var exchange = try Self.exchange("https://me:secret@example.com/c.json")
        _ = exchange.received(Self.response(302, location: "https://example.com/c.json"))
        let reply = exchange.received(Self.response(200, etag: "\"b\"", "{}"))
        #expect(reply == .body(Array("{}".utf8), Validators(received: "\"b\"", lastModified: nil)))
    }

    @Test func aRedirectCanBeRelative() throws {
        var exchange = try Self.exchange("https://me:secret@example.com/a/c.json")
        _ = exchange.received(Self.response(302, location: "../b c.json"))
        #expect(exchange.query(milliseconds: 1).url.normalized == "https://example.com/b%20c.json")
    }

    /// A temporary redirect behind a permanent one belongs to the new address.
    @Test(arguments: [
        ([301, 308], "https://example.com/2?…"), ([308, 302, 301], "https://example.com/1?…"), ([302, 301], nil),
        ([], nil),
    ])
    func permanentRedirectsSayWhereTheCatalogHasMoved(statuses: [Int], place: String?) throws {
        var exchange = try Self.exchange()
        for (number, status) in statuses.enumerated() {
            _ = exchange.received(Self.response(status, location: "/\(number + 1)?token=x"))
        }
        #expect(exchange.received(Self.response(200))?.movedTo == place)
    }

    @Test(arguments: [nil, ""] as [OutsideText?])
    func aRedirectWithoutALocationIsRefused(location: OutsideText?) throws {
        var exchange = try Self.exchange()
        let (failure, _, _) = try failure(exchange.received(Self.response(302, location: location)))
        #expect(failure.code == .redirect && failure.message.contains("without saying where to"))
    }

    @Test func aRedirectThatCannotBeUsedIsNamed() throws {
        var exchange = try Self.exchange()
        let (failure, _, _) = try failure(exchange.received(Self.response(302, location: "https://%C3%A4.example/")))
        #expect(
            failure.message == "https://example.com/c.json redirects to an address that has “ä” (U+00E4) in its host; "
                + "write the host in its ASCII form, with xn--.")
    }

    @Test func theSixthRedirectIsRefused() throws {
        var exchange = try Self.exchange()
        for number in 1...5 {
            let reply = exchange.received(Self.response(302, location: "https://example.com/\(number)"))
            #expect(reply == nil)
        }
        let (failure, _, _) = try failure(exchange.received(Self.response(302, location: "https://example.com/6")))
        #expect(failure.code == .redirect)
        #expect(failure.message.contains("more than 5 times"))
        #expect(failure.message.contains("https://example.com/c.json"))
    }

    @Test func credentialsStayWithTheOriginOfTheConfiguredAddress() throws {
        var exchange = try Self.exchange("https://ana:secret@example.com/c.json")
        #expect(exchange.query(milliseconds: 1).headers.contains("Authorization: Basic YW5hOnNlY3JldA=="))
        _ = exchange.received(Self.response(302, location: "https://example.com/other"))
        #expect(exchange.query(milliseconds: 1).headers.contains("Authorization: Basic YW5hOnNlY3JldA=="))
        for elsewhere in ["https://other.example.com/", "https://example.com:8443/"] {
            _ = exchange.received(Self.response(302, location: OutsideText(elsewhere)))
            #expect(!exchange.query(milliseconds: 1).headers.contains { $0.hasPrefix("Authorization") }, "\(elsewhere)")
        }
    }

    @Test func aFailureShowsNoCredentials() throws {
        var exchange = try Self.exchange("https://ana:secret@example.com/c.json?token=secret")
        let (failure, _, _) = try failure(exchange.received(Self.response(404)))
        #expect(!failure.message.contains("secret"))
    }
}
