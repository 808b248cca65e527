@testable import PromoDaemon
import PromoWire
import Testing

/// What promod and its fetching process say to each other.
struct FetchMessageTests {
    private static let head = FetchMessage.head(FetchedHead(status: 404, phrase: "Not\u{301} \"Found\""))
    private static let end = FetchMessage.end(nil, proxyVariable: nil)

    private func read(_ messages: FetchMessage..., limit: Int = 1000) throws -> FetchReader {
        var reader = FetchReader(maximumBytes: limit)
        try reader.read(messages.flatMap(\.bytes)[...])
        return reader
    }

    @Test func everyMessageIsReadBack() throws {
        var head = FetchedHead(status: 200)
        for field in FetchedHead.Field.allCases { head[field] = OutsideText("\(field) \"x\"") }
        let failure = Failure(.tls, "It is not trusted.")
        let body = Array("\n{\"end\":null}\n".utf8)
        let reader = try read(.head(head), .body(body), .body(body), .end(failure, proxyVariable: "https_proxy"))
        #expect(reader.isWhole && reader.answer.head == head && reader.answer.body == body + body)
        #expect(reader.answer.failure == failure && reader.answer.proxyVariable == "https_proxy")
        #expect(
            try read(Self.head, Self.end).answer
                == FetchAnswer(FetchedHead(status: 404, phrase: "Not\u{301} \"Found\"")))
        #expect(try !read(Self.head).isWhole)
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
        "x\n", "{}\n", "[]\n", #"{"body":-1}"# + "\n", #"{"body":65537}"# + "\n", #"{"head":{"status":99}}"# + "\n",
        #"{"end":{"code":"unheard-of","message":"x"}}"# + "\n", #"{"end":0}"# + "\n",
    ])
    func nonsenseIsRefused(text: String) throws {
        var reader = try read(Self.head)
        #expect(throws: FetchReader.Nonsense.self) { try reader.read(Array(text.utf8)[...]) }
    }

    @Test func messagesInAnotherOrderAreRefused() {
        #expect(throws: FetchReader.Nonsense.self) { try read(.body([1])) }
        #expect(throws: FetchReader.Nonsense.self) { try read(Self.head, Self.head) }
        #expect(throws: FetchReader.Nonsense.self) { try read(Self.end) }
        #expect(throws: FetchReader.Nonsense.self) { try read(Self.head, Self.end, Self.end) }
    }

    @Test func aBodyOverTheLimitIsRefusedEvenIfTheFetchingProcessSendsIt() throws {
        #expect(try read(Self.head, .body([1, 2]), limit: 2).answer.body == [1, 2])
        #expect(throws: FetchReader.Nonsense.self) { try read(Self.head, .body([1, 2]), .body([3]), limit: 2) }
    }

    @Test func theMessageOfAFailureIsCutAtItsLimit() throws {
        let long = Failure(.dns, String(repeating: "x", count: FetchMessage.maximumText))
        let read = try #require(try read(.end(long, proxyVariable: nil)).answer.failure)
        #expect(read.message.count <= Failure.maximumLength + 1)
    }

    @Test func aLineWithoutAnEndIsRefusedAtTheLimit() {
        var reader = FetchReader(maximumBytes: 9)
        #expect(throws: FetchReader.Nonsense.self) {
            for _ in 0...FetchMessage.maximumLine / 1000 { try reader.read([UInt8](repeating: 0x20, count: 1000)[...]) }
        }
    }
}
