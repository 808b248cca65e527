import Foundation
import Glibc
import PromoTestSupport
import Testing

/// The restrictions that the built daemon puts on itself, with or without the unit's sandbox.
struct ConfinementTests {
    /// Whether the kernel has Landlock; without it nothing can be hidden.
    private static let hasLandlock: Bool = {
        // landlock_create_ruleset(2), which returns Landlock's version.
        let script = "import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)"
        return (try? ChildProcess.run(["/usr/bin/python3", "-c", script]))?.end == .exited(0)
    }()

    /// The daemon's error if its configuration is that file.
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
    func itCannotInspectOtherProcesses() throws {
        let other = try ChildProcess(["/bin/sleep", "100"])
        // Without Landlock, any process of the user may follow these; root may read environ and maps with it too (CAP_PERFMON).
        for file in ["root/etc/passwd", "exe"] {
            #expect(try start(withConfiguration: "/proc/\(other.pid)/\(file)").contains("Permission denied"), "\(file)")
        }
        // Its own link is followed, and leads to no configuration, so it was not links as such that were denied.
        let own = try start(withConfiguration: "/proc/self/root/etc/passwd")
        #expect(!own.contains("Permission denied") && own.contains("config.toml"), "\(own)")
    }

    @Test func itCanReadFilesOutsideOfProc() throws {
        #expect(!(try start(withConfiguration: "/etc/passwd").contains("Permission denied")))
    }
}
