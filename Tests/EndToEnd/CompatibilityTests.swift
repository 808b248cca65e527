import Foundation
import PromoTestSupport
import Testing

/// A promod that replaces an earlier one serves what that has fetched, and remembers what it has granted.
struct CompatibilityTests {
    private static let releases: [URL] = {
        let all = try? FileManager.default.contentsOfDirectory(
            at: repository.appending(path: "Tests/Compatibility"), includingPropertiesForKeys: nil)
        return (all ?? []).filter(\.hasDirectoryPath)
    }()

    /// The results that the earlier one sent, in their order.
    private func results(_ release: URL, of method: String) throws -> [[String: Any]] {
        try String(contentsOf: release.appending(path: "results.jsonl"), encoding: .utf8).split(separator: "\n")
            .map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:] }
            .filter { $0["method"] as? String == method }.map { $0["result"] as? [String: Any] ?? [:] }
    }

    @Test(arguments: releases)
    func theHomeOfAnEarlierPromodIsUsedAsItIs(release: URL) throws {
        let scratch = try ScratchDirectory()
        for part in ["cache", "state", "config"] {
            try FileManager.default.copyItem(
                atPath: release.appending(path: "home/\(part)").path, toPath: scratch(part))
        }
        let daemon = try DaemonUnderTest(in: scratch, catalog: nil)
        let list = try daemon.ask(#"{"method":"list","icons":true}"#)
        let before = try #require(try results(release, of: "list").first)
        #expect(list.result["generation"] as? String == before["generation"] as? String)
        #expect(list.source == "origin")
        #expect(list.apps == (before["apps"] as? [[String: Any]])?.compactMap { $0["id"] as? String })
        let icon = try daemon.ask(#"{"method":"icon","app":"bookary"}"#)
        #expect(icon.result["data"] as? String == (try results(release, of: "icon")).first?["data"] as? String)
        let launch = try daemon.ask(#"{"method":"launch","app":"finepomo"}"#)
        #expect(launch.isRecorded == false)
        let launched = try results(release, of: "launch").first
        #expect(launch.firstLaunch == launched?["firstLaunch"] as? String)
        #expect(scratch.read("state/promod/reviews.json").contains(#""requests":["2"#))
        let problems = try daemon.problems()
        #expect(problems.keys.filter { ["storage", "reviews", "catalog-file", "configuration"].contains($0) } == [])
    }
}
