@testable import PromoDaemon
import PromoWire
import Testing

/// What promod and its fetching process say to each other.
struct FetchMessagesTests {
    private func read(_ bytes: [UInt8], limit: Int = 1000) throws -> FetchReader {
        var reader = FetchReader(maximumBytes: limit)
        try reader.read(bytes[...])
        return reader
    }

    private static var answer: FetchAnswer {
        var answer = FetchAnswer()
        (answer.code, answer.text, answer.verdict, answer.isMoved) = (60, "\"x\"\u{1B}", 18, true)
        (answer.status, answer.phrase, answer.address) = (200, "Not\u{301} \"Found\"", "https://a.example/")
        (answer.etag, answer.retryAfter, answer.proxyVariable) = ("\"a\"", 7, "https_proxy")
        answer.body = Array("\n{\"body\":0}\n".utf8)
        return answer
    }

    @Test func anAnswerIsReadBack() throws {
        for answer in [Self.answer, FetchAnswer()] {
            let reader = try read(answer.bytes)
            #expect(reader.isWhole && reader.answer == answer)
        }
        let bytes = Self.answer.bytes
        #expect(try !read(bytes.dropLast()).isWhole && !read(bytes.prefix { $0 != 0x0A }).isWhole)
    }

    @Test func aQueryIsReadBack() {
        for proxy in [nil, "", "http://u:p@h:1"] {
            var query = FetchQuery()
            (query.url, query.headers, query.credentials) = ("https://a.example/", ["A: \"b\"", "C: \u{E9}"], "u:p")
            (query.proxy, query.maximumBytes, query.patience, query.milliseconds) = (proxy, 5, 7, 9)
            #expect(FetchQuery(line: query.line.dropLast()) == query)
        }
    }

    @Test(arguments: ["x", "{}", "[]", #"{"body":0}"#, #"{"code":0,"status":200,"body":0}"#])
    func nonsenseIsRefused(text: String) throws {
        #expect(throws: FetchReader.Nonsense.self) { try read(Array("\(text)\n".utf8)) }
    }

    @Test func aBodyOverTheLimitIsRefusedEvenIfTheFetchingProcessSendsIt() throws {
        var answer = Self.answer
        answer.body = [1, 2]
        #expect(try read(answer.bytes, limit: 2).answer == answer)
        #expect(throws: FetchReader.Nonsense.self) { try read(answer.bytes, limit: 1) }
        #expect(throws: FetchReader.Nonsense.self) { try read(answer.bytes + [3], limit: 3) }
    }
}
