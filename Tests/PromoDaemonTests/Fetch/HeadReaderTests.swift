@testable import PromoDaemon
import PromoWire
import Testing

/// What is read from a response's head, and what follows it.
struct HeadReaderTests {
    private func read(
        _ lines: String..., limit: Int = 1000
    ) throws(FetchProblem) -> (head: FetchedHead, body: HeadReader.Body)? {
        var reader = HeadReader(maximumBody: limit)
        for line in lines + [""] {
            if let whole = try reader.read(Array("\(line)\r\n".utf8)) { return whole }
        }
        return nil
    }

    @Test(arguments: [
        ("0", 0), ("777600", 777_600), ("99999999999999999999999", 1 << 31), ("-1", nil), ("1.5", nil), ("", nil),
        ("3, 4", nil),
    ])
    func anAgeIsANumberOfSeconds(text: String, age: Int?) throws {
        var reader = HeadReader(maximumBody: 9)
        for line in ["HTTP/1.1 304 x", "Age: \(text)"] { _ = try reader.read(Array((line + "\r\n").utf8)) }
        #expect(try reader.read(Array("\r\n".utf8))?.head.age == age)
    }

    @Test func theFieldsThatPromodUsesAreRead() throws {
        let whole = try #require(
            try read(
                "HTTP/1.1 503 Come  later", "ETag: \"a\"", "LAST-MODIFIED:\tthen ", "retry-after: 120", "X-Other: y",
                "Location: /b", "Retry-After: 5", "date: Fri, 15 Jan 2027 08:00:00 GMT", "Date: x"))
        #expect(whole.head[.date] == "Fri, 15 Jan 2027 08:00:00 GMT")
        #expect(whole.head.status == 503 && whole.head.phrase == "Come  later")
        #expect(whole.head[.etag] == "\"a\"" && whole.head[.lastModified] == "then")
        #expect(whole.head[.retryAfter] == "120" && whole.head[.location] == "/b")
        #expect(whole.body == .unneeded)
    }

    @Test func theBytesOfAnAddressBecomeEscapes() throws {
        var reader = HeadReader(maximumBody: 1000)
        _ = try reader.read(Array("HTTP/1.1 302 x\r\n".utf8))
        _ = try reader.read(Array("Location: /\u{E4} \t".utf8) + [0xE4, 0x0D, 0x0A])
        #expect(try reader.read([0x0D, 0x0A])?.head[.location] == "/%C3%A4%20%09%E4")
    }

    @Test func theHeadsOfInformationalResponsesAreForgotten() throws {
        let whole = try read("HTTP/1.1 103 Early", "ETag: \"x\"", "", "HTTP/2 200 ", "content-length: 2")
        #expect(whole?.head[.etag] == nil && whole?.head.phrase == "")
        #expect(whole?.body == .needed(isFramed: true))
    }

    @Test(arguments: [
        ("gzip", true), ("GZIP", true), ("x-gzip", true), ("deflate", true), ("identity", false), ("", false),
        ("gzip, identity", true), (",gzip", true),
    ])
    func theEncodingsThatWereAskedFor(name: String, isCompressed: Bool) throws {
        let whole = try read("HTTP/1.1 200 OK", "Content-Encoding: \(name)")
        #expect(whole?.head.isCompressed == isCompressed && whole?.body == .needed(isFramed: false))
        #expect(whole?.head[.unknownEncoding] == nil)
    }

    @Test(arguments: [
        ("none", false), ("UTF-8", false), ("aws-chunked", false), ("gzip,aws-chunked", true),
        ("aws-chunked, GZIP", true),
        ("\u{E4}", false),
    ])
    func theRestOfAnEncodingThatDoesNotExistIsUndone(name: OutsideText, isCompressed: Bool) throws {
        let whole = try read("HTTP/1.1 200 OK", "Unknown-Encoding: x", "Content-Encoding: \(name.text)")
        #expect(whole?.head.isCompressed == isCompressed && whole?.head[.unknownEncoding] == name)
    }

    @Test(arguments: ["br", "zstd", "compress", "X-Compress", "dcb", "dcz", "gzip, gzip", "none, br"])
    func othersAreRefusedByName(name: OutsideText) {
        #expect(throws: FetchProblem(kind: .encoding, text: name)) {
            try read("HTTP/1.1 200 OK", "Content-Encoding: \(name.text)")
        }
        #expect(throws: FetchProblem(kind: .encoding, text: "gzip, br")) {
            try read("HTTP/1.1 200 OK", "Content-Encoding: gzip", "Content-Encoding: br")
        }
    }

    @Test(arguments: [
        "Content-Length: 99999999999999999999", "Content-Length: 3, 9", "Content-Length: +3",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: xchunked", "Transfer-Encoding: gzip, chunked", " folded: x", "\tfolded: x", "no colon",
        "X: \u{1B}", "X: \0", "X: \u{7F}",
        "HTTP/1.1 200 OK",
    ])
    func aLineThatMayMeanAnotherEndIsRefused(line: String) {
        #expect(throws: FetchProblem(kind: .notHTTP)) { try read("HTTP/1.1 200 OK", "ETag: \"a\"", line) }
    }

    @Test(arguments: ["HTTP/1.1 099 x", "HTTP/1.1 20 x", "HTTP/1.1", "HTTP/1.1 2x0 x", "HTTP/1.1 200\u{1B}"])
    func whatIsNoStatusLineIsRefused(line: String) {
        #expect(throws: FetchProblem(kind: .notHTTP)) { try read(line) }
    }

    @Test func trailersCountAndChangeNothing() throws {
        var reader = HeadReader(maximumBody: 1000)
        _ = try reader.read(Array("HTTP/1.1 200 OK\r\n".utf8))
        let whole = try reader.read(Array("\r\n".utf8))
        #expect(whole != nil)
        for line in ["ETag: x", "Content-Length: 9999", ""] {
            #expect(try reader.read(Array("\(line)\r\n".utf8)) == nil)
        }
        #expect(throws: FetchProblem(kind: .headTooLarge)) {
            for _ in 0..<10_000 { _ = try reader.read(Array("X-Padding: y\r\n".utf8)) }
        }
    }
}
