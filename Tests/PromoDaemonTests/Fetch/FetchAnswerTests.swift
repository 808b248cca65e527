@testable import PromoDaemon
import PromoWire
import Testing

/// What promod and its fetching process say to each other.
struct FetchAnswerTests {
    private func read(_ bytes: [UInt8], limit: Int = 1000) throws -> FetchReader {
        var reader = FetchReader(maximumBytes: limit)
        try reader.read(bytes[...])
        return reader
    }

    @Test func everyAnswerIsReadBack() throws {
        var head = FetchedHead(status: 200, phrase: "Not\u{301} \"Found\"")
        for field in FetchedHead.Field.allCases { head[field] = OutsideText("\(field) \"x\"") }
        let answer = FetchAnswer(
            head, body: Array("\n{\"body\":0}\n".utf8), failure: Failure(.tls, "It is not trusted."))
        for answer in [answer, FetchAnswer(head), FetchAnswer(failure: Failure(.dns, "It is not there."))] {
            let reader = try read(answer.bytes)
            #expect(reader.isWhole && reader.answer == answer)
        }
        #expect(try !read(answer.bytes.dropLast()).isWhole && !read(answer.bytes.prefix { $0 != 0x0A }).isWhole)
    }

    @Test func aQueryIsReadBack() throws {
        let url = try #require(HTTPSURL("https://a.example:444/b?c"))
        for proxy in [nil, "", "http://u:p@h:1"] {
            let query = FetchQuery(
                url: url, headers: ["A: \"b\"", "C: \u{E9}"], proxy: proxy, maximumBytes: 5, milliseconds: 7)
            #expect(FetchQuery(line: query.line.dropLast()) == query)
        }
    }

    @Test func aQueryWithANULOrWithCredentialsIsRefused() throws {
        let url = try #require(HTTPSURL("https://a.example/"))
        for (header, proxy) in [("A: b\0C: d", nil), ("A: b", "http://h\0")] {
            let query = FetchQuery(url: url, headers: [header], proxy: proxy, maximumBytes: 5, milliseconds: 7)
            #expect(FetchQuery(line: query.line.dropLast()) == nil)
        }
        let members = #""headers":[],"proxy":null,"maximumBytes":5,"milliseconds":7}"#
        #expect(FetchQuery(line: Array("{\"url\":\"https://a.example/\",\(members)".utf8)) != nil)
        #expect(FetchQuery(line: Array("{\"url\":\"https://u:p@a.example/\",\(members)".utf8)) == nil)
    }

    @Test(arguments: [
        "x", "{}", "[]", #"{"body":0}"#, #"{"head":{"status":200}}"#, #"{"head":{"status":200},"body":-1}"#,
        #"{"head":{"status":200},"body":1001}"#, #"{"head":{"status":99},"body":0}"#,
        #"{"head":{"status":200},"failure":{"code":"unheard-of","message":"x"},"body":0}"#,
        #"{"head":{"status":200},"failure":0,"body":0}"#, #"{"head":{"status":200},"body":0}"# + "\nx",
    ])
    func nonsenseIsRefused(text: String) throws {
        #expect(throws: FetchReader.Nonsense.self) { try read(Array("\(text)\n".utf8)) }
    }

    @Test func aBodyOverTheLimitIsRefusedEvenIfTheFetchingProcessSendsIt() throws {
        let answer = FetchAnswer(FetchedHead(status: 200), body: [1, 2])
        #expect(try read(answer.bytes, limit: 2).answer == answer)
        #expect(throws: FetchReader.Nonsense.self) { try read(answer.bytes, limit: 1) }
        #expect(throws: FetchReader.Nonsense.self) { try read(answer.bytes + [3], limit: 3) }
    }
}
