import Foundation
import PromoTestSupport

/// A desktop: an `xdg-open` that writes down what it is to open, first on the `PATH`.
struct DesktopUnderTest {
    private let scratch: ScratchDirectory
    let path: String

    /// A desktop whose opener ends with a code, after some noise.
    init(exitCode: Int32 = 0) throws {
        scratch = try ScratchDirectory()
        path = scratch("bin") + ":/usr/bin:/bin"
        try scratch.write(
            "bin/xdg-open",
            """
            #!/bin/sh
            echo "noise of the opener"
            echo "noise of the opener" >&2
            printf '%s\\n' "$@" >> '\(scratch("opened"))'
            exit \(exitCode)

            """)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch("bin/xdg-open"))
    }

    /// The arguments that the opener was run with, a line each.
    var opened: [String] { scratch.read("opened").split(separator: "\n").map(String.init) }
}
