import CFetch
import Glibc
import PromoCore
@testable import PromoDaemon
import PromoWire
import Testing

/// The failures for what libcurl reports.
struct FetchFailureTests {
    private static func failure(
        _ code: Int, _ text: OutsideText = "libcurl's words", by proxies: Proxies = .none,
        _ change: (inout FetchAnswer) -> Void = { _ in }
    ) throws -> Failure {
        let url = try #require(HTTPSURL("https://ana:hunter2@example.com:8443/c.json?token=hunter2"))
        var answer = FetchAnswer()
        (answer.code, answer.text) = (code, text)
        change(&answer)
        return answer.failure(
            at: url,
            for: OriginRequest(
                url: url, validators: Validators(), caFile: nil, maximumBytes: 1000, timeout: .seconds(5),
                proxies: proxies))
    }

    private static let rows: [(Int, OutsideText, ProblemCode, String)] = [
        (PROMOD_NO_LIBRARY, "libcurl.so.4: cannot open", .fetchProcess, "install libcurl4): libcurl.so.4"),
        (PROMOD_CURL_SSL_CACERT_BADFILE, "x", .configuration, "ca-file"),
        (
            PROMOD_CURL_SSL_CONNECT_ERROR, "error:0A00010B:SSL routines::wrong version number", .tls,
            "failed: wrong version number."
        ),
        (
            PROMOD_CURL_PEER_FAILED_VERIFICATION, "SSL certificate problem: EE certificate key too weak", .certificate,
            "8443 is not trusted: EE certificate key too weak."
        ),
        (18, "transfer closed with 7 bytes \u{1B}[31mremaining", .connect, "transfer closed with 7 bytes"),
    ]

    @Test(arguments: rows.indices) func eachHasItsCodeAndSaysWhatHappenedToWhat(index: Int) throws {
        let (code, text, problem, words) = Self.rows[index]
        let failure = try Self.failure(code, text)
        #expect(failure.code == problem)
        #expect(failure.message.contains(words))
        for other in ["hunter2", "\u{1B}"] { #expect(!failure.message.contains(other)) }
        #expect(failure.message.hasSuffix("."))
        #expect(!failure.message.hasSuffix(".."))
    }

    @Test(arguments: [(9, ProblemCode.certificateTime), (10, .certificateTime), (18, .untrusted), (20, .untrusted)])
    func theVerdictOnACertificateIsItsCode(verdict: Int, code: ProblemCode) throws {
        #expect(try Self.failure(PROMOD_CURL_PEER_FAILED_VERIFICATION) { $0.verdict = verdict }.code == code)
    }

    // MARK: Proxies

    private static func variable(_ value: String) -> Proxies {
        Proxies(nil, environment: ["https_proxy": value])
    }

    @Test func aProxyIsToBlameForWhatHappensBeforeThereIsATunnel() throws {
        let words: OutsideText = "CONNECT tunnel failed, response 407"
        func failure(_ code: Int, _ proxy: String = "http://u:hunter2@p:1", proxyStatus: Int = 0) throws -> Failure {
            try Self.failure(code, words, by: Self.variable(proxy)) {
                ($0.proxyVariable, $0.proxyStatus) = ("https_proxy", proxyStatus)
            }
        }
        let refusal = Failure(
            .proxy, "The proxy http://p:1, which the environment variable https_proxy sets, failed: \(words.text).")
        #expect(try failure(56, proxyStatus: 407) == refusal)
        for code in [5, 7, 28, 35, 52, 60, 97] { #expect(try failure(code) == refusal, "\(code)") }
        for code in [28, 35, 52, 60] {
            #expect(try failure(code, proxyStatus: 200).code != .proxy, "\(code)")
            #expect(try failure(code, "socks5://p:1").code != .proxy, "\(code)")
        }
    }

    @Test func theKeyThatSetAProxyIsNamed() throws {
        let setting = try #require(ProxySetting("http://p"))
        var settings = CatalogSettings()
        var configuration = Configuration()
        configuration.proxy = setting
        for (own, source) in [(nil, "network.proxy"), (setting, "the catalog's \"proxy\"")] {
            settings.proxy = own
            let proxies = Proxies(settings, configuration, environment: [:])
            let failure = try Self.failure(PROMOD_CURL_COULDNT_RESOLVE_PROXY, by: proxies)
            #expect(failure.message.hasPrefix("The proxy http://p:80, which \(source) sets, failed: "), "\(failure)")
        }
    }

    @Test(arguments: ["ftp://u:hunter2@p", "::"]) func aVariableThatIsNoAddressIsNamedWithoutItsValue(value: String)
        throws
    {
        let failure = try Self.failure(7, "Unsupported proxy scheme for 'ftp://u:hunter2@p'", by: Self.variable(value))
        {
            $0.proxyVariable = "https_proxy"
        }
        #expect(failure.code == .proxy)
        #expect(failure.message.contains("https_proxy is not the address of a proxy"))
        #expect(!failure.message.contains("hunter2"))
    }
}
