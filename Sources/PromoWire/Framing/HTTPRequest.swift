/// An HTTP request on promod's socket: somebody tried `curl --unix-socket`.
package enum HTTPRequest {
    /// Whether a line is the first of an HTTP request: `GET /status HTTP/1.1`.
    package static func begins(with line: [UInt8]) -> Bool {
        guard let first = line.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return false }
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        return parts.count == 3 && parts[2].starts(with: "HTTP/1.".utf8)
    }

    /// The one response, which says what to do instead.
    package static let refusal = Array(
        """
        HTTP/1.1 400 Bad Request\r
        Content-Type: text/plain; charset=utf-8\r
        Connection: close\r
        \r
        promod answers lines of JSON here, not HTTP: printf '{"method":"list"}' | nc -NU SOCKET

        """.utf8)
}
