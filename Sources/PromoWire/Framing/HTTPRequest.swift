/// Recognises and answers an HTTP request on promod's socket, as `curl --unix-socket` sends it.
package enum HTTPRequest {
    /// Whether a line is an HTTP request line, such as `GET /status HTTP/1.1`.
    package static func begins(with line: [UInt8]) -> Bool {
        guard let first = line.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return false }
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        return parts.count == 3 && parts[2].starts(with: "HTTP/1.".utf8)
    }

    /// The response to every HTTP request, which says what to send instead.
    package static let refusal = Array(
        """
        HTTP/1.1 400 Bad Request\r
        Content-Type: text/plain; charset=utf-8\r
        Connection: close\r
        \r
        This socket speaks line-delimited JSON, not HTTP. Try: printf '{"method":"list"}' | nc -NU SOCKET

        """.utf8)
}
