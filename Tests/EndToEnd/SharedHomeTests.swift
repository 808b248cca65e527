import Foundation
import PromoTestSupport
import Testing

/// Two promods with one home, as on two machines.
struct SharedHomeTests {
    @Test func bothServeAndEachFetches() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let environment = [
            "PROMOD_CATALOG_URL": origin.url, "PROMOD_CATALOG_CA_FILE": origin.caFile, "PROMOD_REFRESH_MIN_GAP": "0s",
        ]
        let first = try DaemonUnderTest(in: scratch, environment: environment)
        #expect(try first.ask(#"{"method":"list","wait":true}"#).apps.count == 5)
        try origin.publish(SampleFile.renamed)
        let other = scratch("other.sock")
        let second = try DaemonUnderTest(
            in: scratch, environment: environment.merging(["PROMOD_SOCKET": other]) { $1 })
        #expect(try second.ask(#"{"method":"list"}"#, at: other).apps.count == 5)
        #expect(try second.ask(#"{"method":"refresh"}"#, at: other).outcome == "updated")
        #expect(try second.ask(#"{"method":"list"}"#, at: other).description.contains("FineBill Pro"))
        #expect(try first.ask(#"{"method":"refresh"}"#).outcome == "updated")
        #expect(try first.ask(#"{"method":"list"}"#).description.contains("FineBill Pro"))
        #expect(origin.log.count == 3)
        #expect(second.stop() == .exited(0) && first.stop() == .exited(0))
        let third = try DaemonUnderTest(in: scratch, environment: environment)
        #expect(try third.ask(#"{"method":"list"}"#).description.contains("FineBill Pro"))
        #expect(try third.ask(#"{"method":"status"}"#).object("cache")["error"] is NSNull)
        #expect(origin.log.count == 3)
    }
}
