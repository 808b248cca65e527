@testable import CrossPromoKit
import Testing

/// What to do in a sandbox about a promod that cannot be reached.
struct SandboxTests {
    private static let inFlatpak = Sandbox.flatpak("org.example.Acme")

    @Test(arguments: [
        ([:], true, Sandbox.flatpak("APPID")),
        (["FLATPAK_ID": "org.example.Acme", "SNAP": "/snap/x/1"], true, inFlatpak),
        (["SNAP": "/snap/acme/1", "FLATPAK_ID": "org.example.Acme"], false, .snap),
        (["FLATPAK_ID": "org.example.Acme", "SNAP": ""], false, nil),
    ])
    func itIsFlatpaksByTheFileAndSnapsByTheVariable(
        environment: [String: String], hasFlatpakInfo: Bool, sandbox: Sandbox?
    ) {
        #expect(Sandbox(environment: environment, hasFlatpakInfo: hasFlatpakInfo) == sandbox)
    }

    @Test func aDirectoryThatIsNotVisibleInAFlatpakIsGranted() {
        let own = Self.inFlatpak.advice(directory: "/run/user/7/promod", isVisible: false, isOwn: true)
        #expect(own.contains("\"flatpak override --user --filesystem=xdg-run/promod:ro org.example.Acme\" there"))
        let other = Self.inFlatpak.advice(directory: "/srv/promod", isVisible: false, isOwn: false)
        #expect(other.contains("--filesystem=/srv/promod:ro org.example.Acme\""))
        for text in [own, other] { #expect(text.hasSuffix("and then start this app again.")) }
    }

    @Test(arguments: [inFlatpak, .snap]) func ifTheDirectoryIsVisiblePromodIsStartedOnTheHost(sandbox: Sandbox) {
        let text = sandbox.advice(directory: "/run/user/7/promod", isVisible: true, isOwn: true)
        #expect(text.hasPrefix("Start promod on the host"))
        #expect(!text.contains("flatpak override"))
    }

    @Test func aSnapIsToldThatNoInterfaceGrantsIt() {
        let text = Sandbox.snap.advice(directory: "/run/user/7/snap.acme/promod", isVisible: false, isOwn: true)
        #expect(text.hasPrefix("Start promod on the host"))
        #expect(text.contains("strict confinement cannot reach it") && !text.contains("flatpak"))
    }
}
