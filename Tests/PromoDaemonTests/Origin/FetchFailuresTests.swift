import Glibc
@testable import PromoDaemon
import PromoFetch
import PromoWire
import Testing

/// The failures for what the fetching process reports.
struct FetchFailuresTests {
    private static let url = HTTPSURL("https://ana:hunter2@example.com:8443/c.json?token=hunter2")
    private static let now = Timestamp(seconds: 1_790_000_000)

    private func failure(_ problem: FetchProblem, proxy: Proxies.Used? = nil) throws -> Failure {
        FetchFailures.failure(for: problem, at: try #require(Self.url), by: proxy, limit: 1000, now: Self.now)
    }

    private static let problems: [(FetchProblem, Failure.Code, String)] = [
        (FetchProblem(.noLibrary, text: "libcurl.so.4: cannot open"), .connect, "install libcurl4"),
        (FetchProblem(.badTrust), .tls, "catalog.ca-file"),
        (FetchProblem(.badTrust, systemError: Int(EACCES)), .tls, "Permission denied"),
        (FetchProblem(.noName), .dns, "The name example.com cannot be resolved."),
        (FetchProblem(.unreachable, systemError: Int(ECONNREFUSED)), .connect, "8443: Connection refused."),
        (FetchProblem(.timeout, isConnected: true, isDeadline: true), .timeout, "refresh.timeout"),
        (FetchProblem(.timeout, isDeadline: true), .timeout, "within refresh.timeout"),
        (FetchProblem(.timeout), .connect, "within 10 s"),
        (FetchProblem(.closed), .connect, "closed the connection"),
        (
            FetchProblem(.handshake, text: "error:0A00010B:SSL routines::wrong version number"), .tls,
            "does not speak TLS"
        ),
        (
            FetchProblem(.handshake, text: "error:0A000126:SSL routines::unexpected eof while reading"), .connect,
            "closed the connection"
        ),
        (
            FetchProblem(.broken, text: "error:0A000412:SSL routines::sslv3 alert bad certificate, errno 0"),
            .tls, "alert bad certificate"
        ),
        (
            FetchProblem(.broken, text: "OpenSSL SSL_read: Connection reset by peer, errno 104"), .connect,
            "reset by peer"
        ),
        (FetchProblem(.wantsCertificate), .tls, "asks for a client certificate"),
        (FetchProblem(.untrusted), .tls, "names another host"),
        (FetchProblem(.notHTTP), .httpStatus, "is not HTTP"),
        (FetchProblem(.headTooLarge), .httpStatus, "too large"),
        (FetchProblem(.tooLarge), .tooLarge, "larger than catalog.max-bytes, 1000"),
        (FetchProblem(.encoding, text: "br"), .encoding, "the encoding br"),
        (FetchProblem(.badGzip), .encoding, "not valid gzip"),
        (FetchProblem(.other, text: "Something \u{1B}[31mred"), .connect, "Something"),
    ]

    @Test(arguments: problems.indices)
    func eachHasItsCodeAndSaysWhatHappenedToWhat(index: Int) throws {
        let (problem, code, words) = Self.problems[index]
        let failure = try failure(problem)
        #expect(failure.code == code, "\(failure.message)")
        #expect(failure.message.contains(words), "\(failure.message)")
        #expect(!failure.message.contains("hunter2") && !failure.message.contains("\u{1B}"))
        #expect(!failure.message.contains("error:"))
        #expect(failure.message.hasSuffix("."))
    }

    @Test(arguments: FetchProblem.Kind.allCases) func noKindIsForgottenBehindAProxy(kind: FetchProblem.Kind) throws {
        let used = Proxies.Used(
            url: ProxyURL("https://u:hunter2@proxy.example", isVariable: true), source: "https_proxy")
        for problem in [
            FetchProblem(kind), FetchProblem(kind, isConnected: true), FetchProblem(kind, proxyStatus: 403),
        ] {
            let failure = try failure(problem, proxy: used)
            #expect(!failure.message.contains("hunter2") && failure.message.hasSuffix("."))
        }
    }

    @Test func aProxyIsToBlameForWhatHappensBeforeThereIsATunnel() throws {
        let used = Proxies.Used(url: ProxyURL("http://proxy.example:3128", isVariable: true), source: "https_proxy")
        let cases: [(FetchProblem, String)] = [
            (FetchProblem(.closed), "closed the connection without an answer"),
            (FetchProblem(.proxy, proxyStatus: 407), "asks for a user and a password (407)"),
            (FetchProblem(.proxy, proxyStatus: 503), "refuses to connect to example.com:8443 (503)"),
            (FetchProblem(.unreachable, systemError: Int(ECONNREFUSED)), "cannot be reached: Connection refused"),
            (FetchProblem(.noProxyName), "cannot be resolved"),
            (FetchProblem(.timeout), "made no connection to example.com:8443 in time"),
        ]
        for (problem, words) in cases {
            let failure = try failure(problem, proxy: used)
            #expect(failure.code == .proxy && failure.message.contains("proxy.example:3128"), "\(failure)")
            #expect(failure.message.contains(words), "\(failure)")
        }
        #expect(try failure(FetchProblem(.closed, isConnected: true), proxy: used).code == .connect)
    }

    @Test func aVariableThatIsNoAddressIsNamed() throws {
        let used = Proxies.Used(url: nil, source: "HTTPS_PROXY")
        for kind in [FetchProblem.Kind.noProxyName, .unreachable, .other, .timeout] {
            let failure = try failure(FetchProblem(kind), proxy: used)
            #expect(failure.code == .proxy && failure.message.contains(" HTTPS_PROXY "), "\(failure)")
        }
    }

    @Test func anAddressIsNotCalledAName() throws {
        let address = try #require(HTTPSURL("https://192.0.2.1/"))
        let failure = FetchFailures.failure(
            for: FetchProblem(.timeout), at: address, by: nil, limit: 1000, now: Self.now)
        #expect(failure.message == "No connection to 192.0.2.1:443 with TLS was made within 10 s.")
    }
}
