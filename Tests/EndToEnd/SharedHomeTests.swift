import Foundation
import PromoTestSupport
import Testing

/// Two promods with one home, as on two machines.
struct SharedHomeTests {
    @Test func bothServeAndEachFetches() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let environment = ["PROMOD_CATALOG_URL": origin.url, "PROMOD_CATALOG_CA_FILE": origin.caFile]
        let first = try DaemonUnderTest(in: scratch, environment: environment)
        #expect(try first.ask(#"{"method":"list","wait":true}"#).apps.count == 5)
        try origin.publish(SampleFile.renamed)
        let other = scratch("other.sock")
        let second = try DaemonUnderTest(
            in: scratch, environment: environment.merging(["PROMOD_SOCKET": other]) { $1 })
        #expect(try second.ask(#"{"method":"list"}"#, at: other).apps.count == 5)
        for (daemon, socket) in [(second, other), (first, first.socketPath)] {
            let isFetched = try comes {
                _ = try daemon.ask(#"{"method":"refresh"}"#, at: socket)
                return try daemon.ask(#"{"method":"list"}"#, at: socket).description.contains("FineBill Pro")
            }
            #expect(isFetched)
        }
        #expect(origin.log.count == 3)
        #expect(second.stop() == .exited(0) && first.stop() == .exited(0))
        let third = try DaemonUnderTest(in: scratch, environment: environment)
        #expect(try third.ask(#"{"method":"list"}"#).description.contains("FineBill Pro"))
        #expect(try third.problems().isEmpty)
        #expect(origin.log.count == 3)
    }
}
