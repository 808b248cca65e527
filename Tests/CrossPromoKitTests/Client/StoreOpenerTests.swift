import CrossPromoKit
import Foundation
import Glibc
import PromoTestSupport
import Testing

/// Opening pages on the desktop.
@Suite(.timeLimit(.minutes(15))) struct StoreOpenerTests {
    @Test func anOpenerThatKeepsRunningHasSucceededAndLeavesNoZombie() async {
        await #expect(processExitsWith: .success) {
            let scratch = try ScratchDirectory()
            mkfifo(scratch("gate"), 0o600)
            let script = "#!/bin/sh\necho $$ > \(scratch("pid")); read line < \(scratch("gate"))\n"
            try scratch.write("xdg-open", script)
            chmod(scratch("xdg-open"), 0o700)
            setenv("PATH", "\(scratch.path):/usr/bin:/bin", 1)
            let isOpen = await StoreOpener.open(try url("https://a.example"))
            #expect(isOpen)
            let pid = scratch.read("pid").trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(!pid.isEmpty)
            close(open(scratch("gate"), O_WRONLY))
            #expect(comes { !FileManager.default.fileExists(atPath: "/proc/\(pid)") })
        }
    }
}
