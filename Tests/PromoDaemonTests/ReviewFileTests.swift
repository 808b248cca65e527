import Dispatch
import Foundation
import Glibc
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// A job on the file of the review history; what a client sees of it is tested by the built daemon.
struct ReviewFileTests {
    private let scratch: ScratchDirectory
    private let file: ReviewFile
    private let now = Timestamp(seconds: 1_795_222_800)

    init() throws {
        scratch = try ScratchDirectory()
        file = ReviewFile(directory: PrivateDirectory(path: scratch("state/promod")))
    }

    private var text: String { scratch.read("state/promod/reviews.json") }

    private func launch(
        _ app: String, in file: ReviewFile
    ) throws(RequestError) -> (LaunchResult, findings: ReviewFile.Findings) {
        var findings = ReviewFile.Findings()
        let result = try file.change(&findings, until: PollLoop.clock() + 60_000) {
            $0.launch(app, now: now) { _ in false }
        }
        return (result, findings)
    }

    @Test func whoMayOnlyReadTheDirectoryCannotTakeTheLock() throws {
        _ = try launch("a", in: file)
        let path = file.directory.path(of: "reviews.lock")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o200)
    }

    @Test func requestsThatWereMadeTogetherWaitForALockTogether() throws {
        let lock = try LockFile.take("reviews.lock", in: file.directory)
        let deadline = PollLoop.clock() + 20
        let took = ContinuousClock().measure {
            for _ in 0..<100 {
                guard case .failure(let error) = file.job(until: deadline, { _ in }).answer else {
                    Issue.record("a job took a lock that is held")
                    return
                }
                #expect(error.reason == .notStored)
            }
        }
        // A hundred waits of their own would take as long.
        #expect(took < .milliseconds(100 * 20))
        withExtendedLifetime(lock) {}
    }

    @Test func noDamagedFileReplacesAnotherThatWasSetAside() throws {
        for text in ["one", "two", "three"] {
            try scratch.write("state/promod/reviews.json", text)
            _ = try launch("a", in: file)
        }
        let aside = ["", ".2", ".3"].map { scratch.read("state/promod/reviews.json.damaged\($0)") }
        #expect(aside == ["one", "two", "three"])
    }

    @Test func aFileThatIsTooLongIsSetAsideAndNoneIsWritten() throws {
        var small = file
        small.maximumBytes = 200
        _ = try launch("a", in: small)
        let before = text
        #expect(throws: RequestError.self) {
            for app in ["b", "c", "d", "e"] { _ = try launch(app, in: small) }
        }
        #expect(text.hasPrefix(before.dropLast(3)))
        #expect(text.utf8.count <= small.maximumBytes)
        small.maximumBytes = 20
        var findings = ReviewFile.Findings()
        try small.change(&findings) { _ in }
        #expect(findings.damage?.contains("longer than 20 bytes") == true)
        #expect(findings.launched == [])
        #expect(scratch.read("state/promod/reviews.json.damaged").hasPrefix(before.dropLast(3)))
        #expect(text == "")
    }
}
