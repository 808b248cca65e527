import Foundation
import PromoTestSupport
import Testing

/// What the linker put into programs that use CrossPromoKit.
struct ClientLinkTests {
    @Test(arguments: ["promoctl", "more-apps-example"])
    func aClientHasNoFoundationBeyondTheEssentials(program: String) throws {
        let (end, output, error) = try ChildProcess.run(["readelf", "--dynamic", DaemonUnderTest.program(program)])
        #expect(end == .exited(0), "\(error)")
        let needed = output.split(separator: "\n").filter { $0.contains("NEEDED") }
        #expect(needed.contains { $0.contains("libFoundationEssentials.so") })
        for library in ["libFoundation.so", "lib_FoundationICU", "Internationalization", "libsystemd", "libssl"] {
            #expect(!needed.contains { $0.contains(library) }, "\(library)")
        }
    }
}
