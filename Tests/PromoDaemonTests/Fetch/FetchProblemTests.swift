import Glibc
@testable import PromoDaemon
import PromoWire
import Testing

/// The failures for what libcurl reports.
struct FetchProblemTests {
    private static let url = HTTPSURL("https://ana:hunter2@example.com:8443/c.json?token=hunter2")

    private func failure(_ problem: FetchProblem, proxy: UsedProxy? = nil) throws -> Failure {
        problem.failure(at: try #require(Self.url), by: proxy, limit: 1000)
    }

    private static let problems: [(FetchProblem, ProblemCode, String)] = [
        (FetchProblem(kind: .noLibrary, text: "libcurl.so.4: cannot open"), .fetchProcess, "install libcurl4"),
        (FetchProblem(kind: .badTrust), .configuration, "ca-file"),
        (FetchProblem(kind: .noName), .dns, "The name example.com cannot be resolved."),
        (FetchProblem(kind: .unreachable, systemError: ECONNREFUSED), .connect, "8443: Connection refused."),
        (FetchProblem(kind: .timeout, isConnected: true, isDeadline: true), .timeout, "refresh.timeout"),
        (FetchProblem(kind: .timeout, isDeadline: true), .timeout, "within refresh.timeout"),
        (FetchProblem(kind: .timeout), .connect, "within 10 s"),
        (FetchProblem(kind: .closed), .connect, "closed the connection"),
        (
            FetchProblem(kind: .handshake, text: "error:0A00010B:SSL routines::wrong version number"), .tls,
            "does not speak TLS"
        ),
        (
            FetchProblem(kind: .handshake, text: "error:0A000126:SSL routines::unexpected eof while reading"), .connect,
            "closed the connection"
        ),
        (
            FetchProblem(kind: .broken, text: "error:0A000412:SSL routines::sslv3 alert bad certificate, errno 0"),
            .tls, "alert bad certificate"
        ),
        (
            FetchProblem(kind: .broken, text: "OpenSSL SSL_read: Connection reset by peer, errno 104"), .connect,
            "reset by peer"
        ),
        (FetchProblem(kind: .untrusted), .certificate, "names another host"),
        (
            FetchProblem(kind: .untrusted, text: "SSL certificate problem: certificate has expired", verdict: 10),
            .certificateTime, "8443 is not trusted: certificate has expired."
        ),
        (
            FetchProblem(kind: .untrusted, text: "SSL certificate problem: self-signed certificate", verdict: 18),
            .untrusted, "self-signed"
        ),
        (
            FetchProblem(kind: .untrusted, text: "SSL certificate problem: EE certificate key too weak", verdict: 66),
            .certificate, "key too weak"
        ),
        (FetchProblem(kind: .notHTTP), .httpStatus, "is not HTTP"),
        (FetchProblem(kind: .headTooLarge), .httpStatus, "too large"),
        (FetchProblem(kind: .tooLarge), .tooLarge, "larger than 1000 bytes"),
        (FetchProblem(kind: .encoding, text: "br"), .encoding, "the encoding br"),
        (FetchProblem(kind: .badGzip, text: "7"), .encoding, "stops being valid gzip at byte 7."),
        (FetchProblem(kind: .other, text: "Something \u{1B}[31mred"), .connect, "Something"),
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
        let used = UsedProxy("https://u:hunter2@proxy.example", variable: nil, environment: [:])
        for problem in [
            FetchProblem(kind: kind), FetchProblem(kind: kind, isConnected: true),
            FetchProblem(kind: kind, proxyStatus: 403),
        ] {
            let failure = try failure(problem, proxy: used)
            #expect(!failure.message.contains("hunter2") && failure.message.hasSuffix("."))
        }
    }

    @Test func aProxyIsToBlameForWhatHappensBeforeThereIsATunnel() throws {
        let used = UsedProxy(
            nil, variable: "https_proxy", environment: ["https_proxy": "http://proxy.example:3128"])
        let cases: [(FetchProblem, String)] = [
            (FetchProblem(kind: .closed), "closed the connection without an answer"),
            (FetchProblem(kind: .proxy, proxyStatus: 407), "asks for a user and a password (407)"),
            (FetchProblem(kind: .proxy, proxyStatus: 503), "refuses to connect to example.com:8443 (503)"),
            (FetchProblem(kind: .unreachable, systemError: ECONNREFUSED), "cannot be reached: Connection refused"),
            (FetchProblem(kind: .noProxyName), "cannot be resolved"),
            (FetchProblem(kind: .timeout), "made no connection to example.com:8443 in time"),
            (FetchProblem(kind: .proxy, text: "No method fits."), "example.com:8443: No method fits."),
        ]
        for (problem, words) in cases {
            let failure = try failure(problem, proxy: used)
            #expect(failure.code == .proxy && failure.message.contains("proxy.example:3128"), "\(failure)")
            #expect(failure.message.contains(words) && !failure.message.hasSuffix(".."), "\(failure)")
        }
        #expect(try failure(FetchProblem(kind: .closed, isConnected: true), proxy: used).code == .connect)
    }

    @Test func aVariableThatIsNoAddressIsNamed() throws {
        let used = UsedProxy(nil, variable: "HTTPS_PROXY", environment: ["HTTPS_PROXY": "ftp://proxy.example"])
        for kind in [FetchProblem.Kind.noProxyName, .unreachable, .other, .timeout] {
            let failure = try failure(FetchProblem(kind: kind), proxy: used)
            #expect(failure.code == .proxy && failure.message.contains(" HTTPS_PROXY "), "\(failure)")
        }
        #expect(UsedProxy(nil, variable: "HTTPS_PROXY", environment: [:]) == nil)
        #expect(UsedProxy("", variable: nil, environment: [:]) == nil)
    }

    @Test func anAddressIsNotCalledAName() throws {
        let address = try #require(HTTPSURL("https://192.0.2.1/"))
        let failure = FetchProblem(kind: .timeout).failure(at: address, by: nil, limit: 1000)
        #expect(failure.message == "No TLS connection to 192.0.2.1:443 was made within 10 s.")
    }
}
