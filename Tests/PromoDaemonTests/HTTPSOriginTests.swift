import Dispatch
import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Synchronization
import Testing

/// Fetches that end before they reach anybody.
struct HTTPSOriginTests {
    private func fetch(caFile: String) throws -> OriginReply? {
        let url = try #require(HTTPSURL("https://localhost:1/"))
        let request = OriginRequest(
            url: url, validators: Validators(), caFile: caFile, maximumBytes: 1000, timeout: .seconds(5))
        let reply = Mutex<OriginReply?>(nil)
        let ended = DispatchSemaphore(value: 0)
        _ = HTTPSOrigin().fetch(request) { answer in
            reply.withLock { $0 = answer }
            ended.signal()
        }
        ended.wait()
        return reply.withLock { $0 }
    }

    @Test func aPipeInPlaceOfTheCAFileHangsNothing() throws {
        let scratch = try ScratchDirectory()
        #expect(mkfifo(scratch("ca.pem"), 0o600) == 0)
        guard case .failed(let failure, nil, nil) = try fetch(caFile: scratch("ca.pem")) else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure.code == .tls)
        #expect(failure.message.contains("catalog.ca-file: cannot read \(scratch("ca.pem"))"))
    }

    @Test func aCAFileWithoutCertificatesIsNamed() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("ca.pem", "no certificates")
        guard case .failed(let failure, nil, nil) = try fetch(caFile: scratch("ca.pem")) else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure.code == .tls)
        #expect(failure.message.contains(scratch("ca.pem")))
    }
}
