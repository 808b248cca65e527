import Foundation
import Glibc
import PromoTestSupport
import Testing

/// What the built daemon keeps itself from, sandbox or not.
struct ConfinementTests {
    /// A kernel without Landlock cannot hide anything.
    private static let hasLandlock: Bool = {
        // landlock_create_ruleset(2) for its version.
        let script = "import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)"
        return (try? ChildProcess.run(["/usr/bin/python3", "-c", script]))?.end == .exited(0)
    }()

    /// What the daemon says when its configuration is that file.
    private func start(withConfiguration target: String) throws -> String {
        let scratch = try ScratchDirectory()
        try scratch.write("config/promod/.made", "")
        try FileManager.default.createSymbolicLink(
            atPath: scratch("config/promod/config.toml"), withDestinationPath: target)
        let ended = try ChildProcess.run(
            [DaemonUnderTest.binary], environment: DaemonUnderTest.environment(in: scratch))
        #expect(ended.end == .exited(78))
        return ended.error
    }

    @Test(.enabled(if: hasLandlock, "the kernel has no Landlock"))
    func itLooksIntoNoOtherProcess() throws {
        let other = try ChildProcess(["/bin/sleep", "100"])
        // What every process of the user's may follow, without Landlock; root may read environ and maps even so (CAP_PERFMON).
        for file in ["root/etc/passwd", "exe"] {
            #expect(try start(withConfiguration: "/proc/\(other.pid)/\(file)").contains("Permission denied"), "\(file)")
        }
        // As its own is followed, and is no configuration, it is not the link that was denied.
        let own = try start(withConfiguration: "/proc/self/root/etc/passwd")
        #expect(!own.contains("Permission denied") && own.contains("config.toml"), "\(own)")
    }

    @Test func itReadsWhatLiesOutsideOfProc() throws {
        #expect(!(try start(withConfiguration: "/etc/passwd").contains("Permission denied")))
    }
}
