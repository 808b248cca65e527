import CFetch
import PromoCore
@testable import PromoDaemon
import PromoWire
import Testing

/// What a fetch asks for, and what it makes of an answer, without a network.
struct ExchangeTests {
    private static let address = "https://ana:secret@example.com/c.json?token=secret"
    private static let validators = Validators(etag: "\"a\"", lastModified: "Mon")

    private static func exchange(_ validators: Validators = Validators()) throws -> Exchange {
        Exchange(
            OriginRequest(
                url: try #require(HTTPSURL(address)), validators: validators, caFile: nil, maximumBytes: 1000,
                timeout: .seconds(5)))
    }

    private static func answer(
        _ status: Int, from address: OutsideText = "https://example.com/c.json?token=secret", _ body: String = ""
    ) -> FetchAnswer {
        var answer = FetchAnswer()
        (answer.status, answer.phrase, answer.address, answer.body) = (status, "Words", address, Array(body.utf8))
        return answer
    }

    private func failure(
        _ answer: FetchAnswer, _ validators: Validators = Validators()
    ) throws -> (failure: Failure, status: Int?, retryAfter: Duration?) {
        let exchange = try Self.exchange(validators)
        do throws(Failure) {
            let reply = try exchange.reply(to: answer, with: validators)
            guard case .failed(let failure, let status, let retryAfter) = reply else {
                throw Failure(.interrupted, "\(String(describing: reply))")
            }
            return (failure, status, retryAfter)
        } catch {
            return (error, nil, nil)
        }
    }

    @Test func theRequestHasPromodsHeadersAndItsCredentialsApart() throws {
        let query = try Self.exchange().query(with: Validators(), milliseconds: 7)
        #expect([query.url, query.credentials] == ["https://example.com/c.json?token=secret", "ana:secret"])
        #expect([query.milliseconds, query.patience, query.maximumBytes] == [7, 5000, 1000])
        #expect(
            query.headers == [
                "User-Agent: promod/\(Version.current)", "Accept: application/json", "Accept-Encoding: gzip",
            ])
    }

    @Test func validatorsMakeTheRequestConditional() throws {
        let headers = try Self.exchange().query(with: Self.validators, milliseconds: 1).headers
        #expect(headers.suffix(2) == ["If-None-Match: \"a\"", "If-Modified-Since: Mon"])
    }

    @Test func aBodyComesWithItsValidatorsAndTheAddressThatSentThem() throws {
        for (address, kept) in [
            ("https://example.com/c.json?token=secret", nil), ("https://example.com/c.json?other", nil),
            ("https://cdn.example/c?sig=1", "https://cdn.example/c"),
        ] {
            var answer = Self.answer(200, from: OutsideText(address), "{}")
            answer.etag = "\"b\""
            let reply = try Self.exchange().reply(to: answer, with: Validators())
            #expect(reply == .body(Array("{}".utf8), Validators(etag: "\"b\"", address: kept)), "\(address)")
        }
    }

    /// Validators say nothing about what another address has (RFC 9111 §4.3).
    @Test(arguments: [
        (nil, "https://example.com/c.json?token=secret", true), (nil, "https://cdn.example/c?sig=1", false),
        ("https://cdn.example/c", "https://cdn.example/c?sig=1", true),
        ("https://cdn.example/c", "https://cdn.example/c?sig=2", true),
        ("https://cdn.example/c", "https://other.example/c?sig=1", false),
        ("https://cdn.example/c", "https://example.com/c.json?token=secret", false),
    ])
    func aConfirmationCountsOnlyFromTheAddressThatSentTheValidators(
        stored: String?, answering: OutsideText, counts: Bool
    ) throws {
        var validators = Self.validators
        validators.address = stored
        let reply = try Self.exchange(validators).reply(to: Self.answer(304, from: answering), with: validators)
        #expect(reply == (counts ? .notModified(Validators(address: stored)) : nil))
    }

    @Test func theConfirmationOfAnotherAddressIsFollowedByARequestWithoutConditionsInTheTimeLeft() throws {
        let connection = ScriptedConnection()
        connection.answer(Self.answer(304, from: "https://cdn.example/c"))
        connection.answer(Self.answer(200, from: "https://cdn.example/c", "{}"))
        let reply = try Self.exchange(Self.validators).perform(over: connection)
        #expect(reply == .body(Array("{}".utf8), Validators(address: "https://cdn.example/c")))
        let queries = connection.queries
        #expect(queries.map { $0.headers.count } == [5, 3])
        #expect(queries.allSatisfy { 50_000...100_000 ~= $0.milliseconds })
        #expect(queries[1].milliseconds <= queries[0].milliseconds)
    }

    @Test func aConfirmationWithoutConditionsIsAFailure() throws {
        let (failure, status, _) = try failure(Self.answer(304))
        #expect(failure.code == .httpStatus)
        #expect(status == 304)
    }

    @Test(
        arguments: [101, 204, 206, 400, 401].map { ($0, ProblemCode.httpStatus) } + [300, 302].map { ($0, .redirect) }
            + [404, 410].map { ($0, .notFound) } + [408, 429, 500, 503].map { ($0, .unavailable) })
    func anyOtherStatusIsAFailureWithItsNumberAndRetryAfter(code: Int, problem: ProblemCode) throws {
        var answer = Self.answer(code)
        answer.retryAfter = 120
        let (failure, status, retryAfter) = try failure(answer)
        #expect(failure == Failure(problem, "https://example.com/c.json answers \(code) Words."))
        #expect(status == code)
        #expect(retryAfter == .seconds(120))
        answer.phrase = ""
        #expect(try self.failure(answer).failure.message == "https://example.com/c.json answers \(code).")
    }

    @Test(arguments: [PROMOD_BAD_GZIP, PROMOD_TOO_LARGE, PROMOD_CURL_WRITE_ERROR, PROMOD_CURL_OPERATION_TIMEDOUT])
    func theStatusDecidesBeforeTheBody(code: Int) throws {
        for (status, problem) in [(404, ProblemCode.notFound), (503, .unavailable)] {
            var answer = Self.answer(status)
            answer.code = code
            #expect(try failure(answer).failure.code == problem)
        }
    }

    @Test(arguments: ["", "http://example.com/", "https://\u{E4}.example/"] as [OutsideText])
    func anAddressThatPromodCannotReadIsNoPlaceForValidators(address: OutsideText) throws {
        #expect(try failure(Self.answer(200, from: address)).failure.code == .redirect)
    }

    @Test(arguments: [(0, 0), (777_600, 777_600), (Int.max, 31_536_000), (-1, 0)])
    func anAgeIsBounded(sent: Int, age: Int) throws {
        var answer = Self.answer(200)
        answer.age = sent
        let reply = try Self.exchange().reply(to: answer, with: Validators())
        #expect(reply == .body([], Validators(), age: .seconds(age)))
    }
}
