@testable import CrossPromoKit
import Testing

/// What to do in a sandbox about a promod that cannot be reached.
struct SandboxTests {
    private static let inFlatpak = Sandbox(app: "org.example.Acme")

    @Test func aDirectoryThatIsNotVisibleInAFlatpakIsGranted() {
        let own = Self.inFlatpak.advice(directory: "/run/user/7/promod", isVisible: false, isOwn: true)
        #expect(own.contains("\"flatpak override --user --filesystem=xdg-run/promod:ro org.example.Acme\" there"))
        let other = Self.inFlatpak.advice(directory: "/srv/promod", isVisible: false, isOwn: false)
        #expect(other.contains("--filesystem=/srv/promod:ro org.example.Acme\""))
        for text in [own, other] { #expect(text.hasSuffix("and then start this app again.")) }
    }

    @Test func ifTheDirectoryIsVisiblePromodIsStartedOnTheHost() {
        let text = Self.inFlatpak.advice(directory: "/run/user/7/promod", isVisible: true, isOwn: true)
        #expect(text.hasPrefix("Start promod on the host"))
        #expect(!text.contains("flatpak override"))
    }
}
