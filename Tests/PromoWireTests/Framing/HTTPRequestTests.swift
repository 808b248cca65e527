import PromoWire
import Testing

struct HTTPRequestTests {
    @Test(arguments: ["GET / HTTP/1.1\r", "POST /list HTTP/1.0\r", "HEAD / HTTP/1.1"])
    func aRequestLineIsRecognised(line: String) {
        #expect(HTTPRequest.begins(with: Array(line.utf8)))
    }

    @Test(arguments: [
        "", " ", "list", "GET", "GET /", "GET / HTTP/2.0", "get / HTTP/1.1", "{\"a\": \"b\" HTTP/1.1",
        "GET  / HTTP/1.1",
    ])
    func noOtherLineIsRecognised(line: String) {
        #expect(!HTTPRequest.begins(with: Array(line.utf8)))
    }
}
