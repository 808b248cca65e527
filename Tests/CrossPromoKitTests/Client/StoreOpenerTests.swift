import CrossPromoKit
import Foundation
import Glibc
import PromoTestSupport
import Testing

/// Opening pages on the desktop. Each test runs in a process of its own, with a script as `xdg-open` in `PATH`.
@Suite(.timeLimit(.minutes(15))) struct StoreOpenerTests {
    /// Installs a shell script as `xdg-open`.
    private static func install(_ script: String, in scratch: ScratchDirectory) throws {
        try scratch.write("xdg-open", "#!/bin/sh\n\(script)\n")
        chmod(scratch("xdg-open"), 0o700)
        setenv("PATH", "\(scratch.path):/usr/bin:/bin", 1)
    }

    @Test func theDesktopIsGivenTheAddress() async {
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchDirectory()
            try Self.install("printf '%s|' \"$@\" > \(scratch("arguments"))", in: scratch)
            let isOpen = await StoreOpener.open(try url("https://apps.apple.com/app/id1?a=b&c=$(d)"))
            #expect(isOpen)
            #expect(scratch.read("arguments") == "https://apps.apple.com/app/id1?a=b&c=$(d)|")
        }
    }

    @Test func aFailureOfTheDesktopIsReported() async {
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchDirectory()
            try Self.install("exit 3", in: scratch)
            let isOpen = await StoreOpener.open(try url("https://a.example"))
            #expect(!isOpen)
        }
    }

    @Test func withoutADesktopNothingIsOpened() async {
        await #expect(processExitsWith: .success) {
            setenv("PATH", "/nowhere", 1)
            let isOpen = await StoreOpener.open(try url("https://a.example"))
            #expect(!isOpen)
        }
    }

    @Test func anOpenerThatKeepsRunningHasSucceededAndLeavesNoZombie() async {
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchDirectory()
            mkfifo(scratch("gate"), 0o600)
            try Self.install("echo $$ > \(scratch("pid")); read line < \(scratch("gate"))", in: scratch)
            let isOpen = await StoreOpener.open(try url("https://a.example"))
            #expect(isOpen)
            let pid = scratch.read("pid").trimmingCharacters(in: .whitespacesAndNewlines)
            close(open(scratch("gate"), O_WRONLY))
            let end = ContinuousClock.now + .seconds(60)
            while FileManager.default.fileExists(atPath: "/proc/\(pid)"), ContinuousClock.now < end {
                await Task.yield()
            }
            #expect(!pid.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: "/proc/\(pid)"))
        }
    }
}
