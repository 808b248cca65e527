import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOSSL
@testable import PromoDaemon
import PromoWire
import Testing

/// The failures for errors of the network libraries.
struct FetchFailuresTests {
    private static let url = HTTPSURL("https://ana:hunter2@example.com:8443/c.json?token=hunter2")

    private static let errors: [(any Error & Sendable, Failure.Code, String)] = [
        (HTTPClientError.deadlineExceeded, .timeout, "refresh.timeout"),
        (HTTPClientError.readTimeout, .timeout, "example.com"),
        (HTTPClientError.connectTimeout, .connect, "10 s"),
        (HTTPClientError.tlsHandshakeTimeout, .timeout, "TLS handshake"),
        (HTTPClientError.remoteConnectionClosed, .connect, "closed the connection"),
        (HTTPClientError.cancelled, .connect, "cancelled"),
        (HTTPClientError.emptyScheme, .connect, "https://example.com:8443/c.json"),
        (BodyTooLarge(limit: 1000), .tooLarge, "1000"),
        (NIOSSLError.uncleanShutdown, .connect, "closed the connection"),
        (HTTPParserError.invalidEOFState, .connect, "closed the connection"),
        (HTTPParserError.headerOverflow, .httpStatus, "too large"),
        (HTTPParserError.invalidConstant, .httpStatus, "is not HTTP"),
        (NIOSSLExtraError.failedToValidateHostname, .tls, "names another host"),
        (IOError(errnoCode: ECONNREFUSED, reason: "connect"), .connect, "Connection refused"),
        (IOError(errnoCode: ECONNRESET, reason: "read"), .connect, "broke: Connection reset"),
        (ChannelError.connectTimeout(.seconds(1)), .connect, "Cannot connect to example.com:8443"),
    ]

    @Test(arguments: errors.indices)
    func eachHasItsCodeAndSaysWhatHappenedToWhat(index: Int) throws {
        let (error, code, words) = Self.errors[index]
        let failure = FetchFailures.failure(for: error, on: .init(try #require(Self.url)))
        #expect(failure.code == code, "\(failure.message)")
        #expect(failure.message.contains(words), "\(failure.message)")
        #expect(!failure.message.contains("hunter2"))
        #expect(!failure.message.contains("NIO"))
        #expect(failure.message.hasSuffix("."))
    }

    /// As the library's own, which is private.
    private struct NoResult: Error {}

    @Test func aProxyThatClosesTheConnectionBeforeItsAnswerIsToBlame() throws {
        let proxy = try #require(ProxyURL("http://proxy.example:3128", needsScheme: true))
        let route = FetchFailures.Route(try #require(Self.url), proxy, isConnected: false)
        for error in [NoResult(), HTTPClientError.remoteConnectionClosed, HTTPParserError.invalidEOFState]
            as [any Error]
        {
            let failure = FetchFailures.failure(for: error, on: route)
            #expect(failure.code == .proxy && failure.message.contains("closed the connection without an answer"))
        }
    }

    @Test func withoutAConnectionTheNameMayBeTheCause() throws {
        let url = try #require(Self.url)
        let failure = FetchFailures.failure(for: HTTPClientError.deadlineExceeded, on: .init(url, isConnected: false))
        #expect(failure.code == .timeout)
        #expect(failure.message.hasPrefix("The name example.com was not resolved, or"))
        let address = try #require(HTTPSURL("https://192.0.2.1/"))
        let other = FetchFailures.failure(for: HTTPClientError.connectTimeout, on: .init(address, isConnected: false))
        #expect(other.message == "No connection to 192.0.2.1:443 with TLS was made within 10 s.")
    }
}
