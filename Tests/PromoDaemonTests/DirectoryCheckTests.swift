import Foundation
import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// What `promoctl doctor` and `promod` say of the directories for the cache and the state.
struct DirectoryCheckTests {
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
    }

    private func diagnoses() -> [String] {
        let environment = ["XDG_CACHE_HOME": scratch("cache"), "XDG_STATE_HOME": scratch("state")]
        let check = DirectoryCheck(Directories(environment: environment, home: scratch.path))
        return check.disks.map { "\($0.verdict.rawValue) \($0.text)" }
    }

    @Test func whatIsMissingCanBeMade() {
        for diagnosis in diagnoses() { #expect(diagnosis.hasPrefix("good ") && diagnosis.contains("can be written")) }
    }

    @Test(arguments: [
        ("/nowhere/at/all", "No such file or directory"), ("state", "Too many levels of symbolic links"),
        ("file", "Not a directory"),
    ])
    func aLinkThatLeadsToNoDirectoryIsBad(target: String, reason: String) throws {
        try scratch.write("file", "")
        try FileManager.default.createSymbolicLink(atPath: scratch("state"), withDestinationPath: target)
        let diagnosis = diagnoses()[1]
        #expect(diagnosis.hasPrefix("bad \(scratch("state")) cannot be written: \(reason)."), "\(diagnosis)")
    }
}
