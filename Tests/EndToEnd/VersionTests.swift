import Foundation
import PromoTestSupport
import PromoWire
import Testing

/// The version, in the programs and wherever else it is written.
struct VersionTests {
    @Test(arguments: [
        ("packaging/debian/changelog", "promod (VERSION) "),
        ("packaging/openrpc.json", #""version": "VERSION","#),
        ("packaging/man/promod-protocol.7", #"{"version":"VERSION","#),
        ("README.md", "promod_VERSION*_amd64.deb"),
        ("README.ko.md", "promod_VERSION*_amd64.deb"),
        ("Sources/CrossPromoKit/CrossPromoKit.docc/FirstList.md", #"from: "VERSION""#),
    ])
    func aFileNamesThisVersion(file: String, text: String) throws {
        let contents = try String(contentsOf: repository.appending(path: file), encoding: .utf8)
        #expect(contents.contains(text.replacingOccurrences(of: "VERSION", with: Version.current)))
    }

    @Test func aStampIsShownAndLeavesTheProgramsTime() throws {
        let scratch = try ScratchDirectory()
        try scratch.install("promod", copying: DaemonUnderTest.binary)
        let program = scratch("promod")
        let before = try FileManager.default.attributesOfItem(atPath: program)[.modificationDate] as? Date
        for stamp in ["9.9.9~dev.99 (commit 0123456789ab)", "9.9.9"] {
            let (end, _, error) = try ChildProcess.run(["\(repository.path)/packaging/releasing/stamp", program, stamp])
            #expect(end == .exited(0), "\(error)")
            #expect(try ChildProcess.run([program, "--version"]).output.hasPrefix("promod \(stamp)\n"))
        }
        #expect(try FileManager.default.attributesOfItem(atPath: program)[.modificationDate] as? Date == before)
    }
}
