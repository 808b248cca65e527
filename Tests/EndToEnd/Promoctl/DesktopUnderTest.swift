import Foundation
import PromoTestSupport

/// A desktop with an `xdg-open`, first on the `PATH`, that records what it is asked to open.
struct DesktopUnderTest {
    private let scratch: ScratchDirectory
    let path: String

    /// A desktop whose opener prints some noise and exits with the given code.
    init(exitCode: Int32 = 0) throws {
        scratch = try ScratchDirectory()
        path = scratch("bin") + ":/usr/bin:/bin"
        try scratch.write(
            "opener",
            """
            #!/bin/sh
            echo "noise of the opener"
            echo "noise of the opener" >&2
            printf '%s\\n' "$@" >> '\(scratch("opened"))'
            exit \(exitCode)

            """)
        try scratch.install("bin/xdg-open", copying: scratch("opener"))
    }

    /// The arguments with which the opener was run, one per line.
    var opened: [String] { scratch.read("opened").split(separator: "\n").map(String.init) }
}
