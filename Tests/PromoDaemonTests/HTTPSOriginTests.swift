import Dispatch
import Glibc
import NIOCore
import NIOPosix
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Synchronization
import Testing

/// Fetches that fail before they reach an origin.
struct HTTPSOriginTests {
    private func fetch(caFile: String) throws -> OriginReply? {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let url = try #require(HTTPSURL("https://localhost:1/"))
        let request = OriginRequest(
            url: url, validators: Validators(), caFile: caFile, maximumBytes: 1000, timeout: .seconds(5))
        let reply = Mutex<OriginReply?>(nil)
        let ended = DispatchSemaphore(value: 0)
        _ = HTTPSOrigin(group: group).fetch(request) { answer in
            reply.withLock { $0 = answer }
            ended.signal()
        }
        ended.wait()
        try group.syncShutdownGracefully()
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
