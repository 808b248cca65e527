import Foundation
import PromoTestSupport

extension DaemonUnderTest {
    /// A daemon that keeps an origin's catalog, and has it.
    static func keeping(
        _ origin: NginxOrigin, in scratch: ScratchDirectory? = nil, environment: [String: String] = [:]
    ) throws -> DaemonUnderTest {
        let variables = [
            "PROMOD_CATALOG_URL": origin.url, "PROMOD_CATALOG_CA_FILE": origin.caFile,
            "PROMOD_REFRESH_MIN_GAP": "0s",
        ]
        let daemon = try DaemonUnderTest(in: scratch, environment: variables.merging(environment) { $1 })
        let waited = try PromoctlUnderTest(daemon).run("wait")
        guard waited.code == 0 else { throw TestFailure("there is no catalog: \(waited.error)") }
        return daemon
    }

    /// A member of the status's `queries`, `socket` or `refresh`.
    func status(_ object: String, _ member: String) throws -> Int {
        try ask(#"{"method":"status"}"#).object(object)[member] as? Int ?? -1
    }

    /// Waits until the first fetch has ended, however it did.
    func waitForFirstAttempt() throws {
        let hasEnded = try comes { !(try ask(#"{"method":"status"}"#).object("refresh")["lastOutcome"] is NSNull) }
        guard hasEnded else { throw TestFailure("the first fetch does not end") }
    }
}
