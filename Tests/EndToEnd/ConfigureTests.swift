import PromoTestSupport
import Testing

/// `promod configure`, which `promoctl setup` runs.
struct ConfigureTests {
    private func configure(_ url: String, in scratch: ScratchDirectory, _ more: String...) throws -> ChildProcess {
        try ChildProcess(
            [DaemonUnderTest.binary, "configure", url] + more,
            environment: DaemonUnderTest.environment(in: scratch))
    }

    @Test func ofManyAtOnceEachWritesAWholeFile() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let urls = (0..<8).map { "\(origin.url)?n=\($0)" + String(repeating: "x", count: $0 * 100) }
        let children = try urls.map { try configure($0, in: scratch, "--ca-file", origin.caFile) }
        for child in children { #expect(child.wait() == .exited(0), "\(child.standardError)") }
        let text = scratch.read("config/promod/config.toml")
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasPrefix("url = ") }.count == 1)
        #expect(urls.contains { lines.contains("url = \"\($0)\"") })
        #expect(lines.contains("ca-file = \"\(origin.caFile)\""))
    }

    @Test(arguments: ["http://user:hunter2@example.com/c.json?token=hunter2", "https://user:hunter2@/c.json"])
    func whatIsNoAddressIsNotShownForItMayHoldAPassword(text: String) throws {
        for subcommand in ["configure", "validate"] {
            let (end, output, error) = try ChildProcess.run([DaemonUnderTest.binary, subcommand, text])
            #expect(end == .exited(64))
            #expect(!(output + error).contains("hunter2"), "\(error)")
        }
    }

    @Test func aGoodAddressIsShownWithoutItsSecrets() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let (end, output, error) = try ChildProcess.run(
            [DaemonUnderTest.binary, "validate", "\(origin.url)?token=hunter2"],
            environment: DaemonUnderTest.environment(in: scratch)
                .merging(["PROMOD_CATALOG_CA_FILE": origin.caFile]) { $1 })
        #expect(end == .exited(0), "\(error)")
        #expect(output.contains("\(origin.url): good, 5 apps"))
        #expect(!(output + error).contains("hunter2"))
    }
}
