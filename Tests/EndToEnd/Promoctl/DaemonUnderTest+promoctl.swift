import Foundation
import PromoTestSupport

extension DaemonUnderTest {
    /// A daemon that has fetched an origin's catalog.
    static func keeping(
        _ origin: NginxOrigin, in scratch: ScratchDirectory? = nil, settings: [String: String] = [:]
    ) throws -> DaemonUnderTest {
        let daemon = try DaemonUnderTest(in: scratch, settings: origin.settings.merging(settings) { $1 })
        let waited = try PromoctlUnderTest(daemon).run("wait")
        guard waited.code == 0 else { throw TestFailure("there is no catalog: \(waited.error)") }
        return daemon
    }

    /// A launcher that puts the daemon into a mount namespace of its own, as the unit's sandbox does, and changes mounts there.
    static func mounting(_ commands: String) -> [String] {
        ["/usr/bin/unshare", "--map-root-user", "--mount", "/bin/sh", "-c", commands + " && exec \"$@\"", "sh"]
    }

    /// Whether ``mounting(_:)`` works here.
    static let canMount =
        (try? ChildProcess.run(mounting("mount -t tmpfs none /mnt") + ["/bin/true"]))?.end == .exited(0)

    /// A number in `requests` or `socket` of the status; 0 for a method that was not asked.
    func status(_ object: String, _ member: String) throws -> Int {
        try status().object(object)[member] as? Int ?? 0
    }
}
