@testable import PromoFetch
import PromoWire
import Testing

/// What promod and its fetching process say to each other.
struct FetchMessageTests {
    private static let certificate = FetchProblem.Certificate(
        error: 10, depth: 1, sent: 2, notBefore: Timestamp(seconds: 1), notAfter: Timestamp(seconds: 2),
        subject: ["a", "b\n"], issuer: [])
    private static let messages: [FetchMessage] = [
        .head(FetchedHead(status: 404, phrase: "Not\u{301} \"Found\"")),
        .body(Array("\n{\"end\":{}}\n".utf8)),
        .end(
            FetchMessage.End(
                problem: FetchProblem(
                    .untrusted, text: "x", systemError: 3, isConnected: true, isDeadline: true, proxyStatus: 407,
                    certificate: certificate), proxyVariable: "https_proxy")),
        .end(FetchMessage.End()),
    ]

    @Test func everyMessageIsReadBack() throws {
        var reader = FetchReader()
        var read: [FetchMessage] = []
        try reader.read(Self.messages.flatMap(\.bytes)[...]) { read.append($0) }
        #expect(read == Self.messages)
    }

    @Test func aQueryIsReadBack() {
        for proxy in [nil, "", "http://u:p@h:1"] {
            let query = FetchQuery(
                url: "https://a/", headers: ["A: \"b\"", "C: \u{E9}"], proxy: proxy, maximumBytes: 5, milliseconds: 7)
            #expect(FetchQuery(line: query.line.dropLast()) == query)
        }
    }

    @Test(arguments: [
        "x\n", "{}\n", "[]\n", #"{"body":-1}"# + "\n", #"{"body":65537}"# + "\n", #"{"head":{"status":99}}"# + "\n",
        #"{"end":{"problem":{"kind":"unheard-of"}}}"# + "\n",
    ])
    func nonsenseIsRefused(text: String) {
        var reader = FetchReader()
        #expect(throws: FetchReader.Nonsense.self) { try reader.read(Array(text.utf8)[...]) { _ in } }
    }

    @Test func aLineWithoutAnEndIsRefusedAtTheLimit() {
        var reader = FetchReader()
        #expect(throws: FetchReader.Nonsense.self) {
            for _ in 0...FetchMessage.maximumLine / 1000 {
                try reader.read([UInt8](repeating: 0x20, count: 1000)[...]) { _ in }
            }
        }
    }
}
