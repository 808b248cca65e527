import Foundation
import PromoTestSupport
import Synchronization
import Testing

/// `promoctl refresh`, `clear`, `reload` and `wait`.
struct PromoctlRefreshTests {
    private let generation = "[0-9a-f]{16}"

    @Test func theOutcomeIsPrintedInWords() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin)
        let promoctl = PromoctlUnderTest(daemon)
        let unchanged = try daemon.fetching { try promoctl.run("refresh") }
        #expect(unchanged.code == 0)
        #expect(
            unchanged.output.matches("Unchanged: \(origin.url) confirmed the catalog, generation \(generation).\n"))
        try origin.publish(SampleFile.renamed)
        let updated = try daemon.fetching { try promoctl.run("refresh") }
        #expect(updated.output.matches("Updated: \(origin.url) has a new catalog, generation \(generation).\n"))
        #expect(try promoctl.run("list").output.contains("FineBill Pro"))
        #expect((updated.code, unchanged.error, updated.error) == (0, "", ""))
    }

    /// Repeats a refresh until one comes within a second after another attempt.
    private func deferred(_ promoctl: PromoctlUnderTest) throws -> Ran {
        try awaited("a deferral") {
            let ran = try promoctl.run("refresh")
            return (ran.output + ran.error).contains(" was not asked, ") ? ran : nil
        }
    }

    @Test func aDeferredRefreshSaysWhyAndIsNoUpdate() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin)
        let promoctl = PromoctlUnderTest(daemon)
        let fresh = try deferred(promoctl)
        let sentence = "\(origin.url) was not asked, because it was asked a moment ago."
        #expect(fresh.code == 0)
        #expect(fresh.output == "\(sentence)\n", "\(fresh)")
        origin.stop()
        _ = try daemon.refresh()
        let failed = try deferred(promoctl)
        #expect(failed.code == 75)
        #expect(failed.error.hasPrefix("promoctl: \(sentence)"), "\(failed)")
        #expect(failed.error.contains(" The attempt before failed: Cannot connect to "), "\(failed)")
        #expect(failed.error.hasSuffix(" The old catalog is kept.\n"), "\(failed)")
    }

    @Test func theProgressStaysOnOneLineOfANarrowTerminal() throws {
        let silent = try SilentListener()
        let path = String(repeating: "long/", count: 30)
        let daemon = try DaemonUnderTest(settings: [
            "catalog-url": "https://localhost:\(silent.port)/\(path)", "refresh.timeout": "2s",
        ])
        let drawn = try PromoctlUnderTest(daemon).draw(columns: 60, "refresh")
        let steps = drawn.text.split(separator: "\r").filter { $0.hasPrefix("Fetching") }
            .map { String($0.replacing("\u{1B}[K", with: "")) }
        #expect(steps.count >= 2)
        for (step, width) in zip(steps, try ReferenceWidth.columns(steps)) { #expect(width < 60, "\(step)") }
        #expect(steps.last?.hasSuffix(" s") == true)
    }

    @Test func clearForgetsTheCatalogAndAListOrAWaitAwaitsTheNextOne() throws {
        let origin = try NginxOrigin()
        let promoctl = PromoctlUnderTest(try DaemonUnderTest.keeping(origin))
        for command in ["wait", "list"] {
            #expect(try promoctl.run("clear").code == 0)
            #expect(try promoctl.run(command).code == 0)
            #expect(try promoctl.run("list").lines.count == 5)
        }
        // There were no validators left to send.
        #expect(origin.log.filter { $0.contains("/catalog.json 200") }.count == 3)
    }

    @Test func clearingTheOnlyCopyAsksOnATerminal() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin)
        let promoctl = PromoctlUnderTest(daemon)
        origin.stop()
        #expect(try daemon.fetching { try promoctl.run("refresh") }.code == 75)
        let terminal = try Pseudoterminal(columns: 100)
        let child = try terminal.start([PromoctlUnderTest.binary, "clear"], environment: promoctl.environment)
        terminal.write("n\n")
        let text = terminal.read()
        #expect(child.wait() == .exited(1))
        for part in ["Continue? [y/N]", "Nothing was cleared."] { #expect(text.contains(part)) }
        #expect(try promoctl.run("list").lines.count == 5)
        #expect(try promoctl.run("clear", "--yes").code == 0)
        #expect(try promoctl.run("list").code == 75)
    }

    @Test(arguments: ["acme", "zed", "the address"])
    func byNoNameIsTheOnlyCopyClearedUnasked(name: String) throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        for file in ["acme", "zed"] { try scratch.write("config/promod/catalogs.d/\(file).toml", origin.dropIn) }
        let daemon = try DaemonUnderTest(in: scratch, catalog: nil)
        let promoctl = PromoctlUnderTest(daemon)
        #expect(try promoctl.run("wait").code == 0)
        let reference = ["--catalog", name == "the address" ? origin.url : name]
        origin.stop()
        #expect(try daemon.fetching { try promoctl.run(["refresh"] + reference) }.code == 75)
        let clear = try promoctl.run(["clear"] + reference)
        #expect(clear.code == 64)
        #expect(clear.error.contains("this removes the only copy of the catalog acme (5 apps)."), "\(clear)")
        #expect(try promoctl.run(["list"] + reference).lines.count == 5)
        #expect(try promoctl.run(["clear", "--yes"] + reference).code == 0)
        #expect(try promoctl.run(["list"] + reference).code == 75)
    }

    @Test func aWaitOutlastsADaemonThatIsNotThereYet() throws {
        let scratch = try ScratchDirectory()
        let wait = try PromoctlUnderTest(in: scratch).start(["wait"])
        let daemon = try DaemonUnderTest(in: scratch)
        #expect(wait.wait() == .exited(0))
        #expect(daemon.stop() == .exited(0))
    }

    @Test func aWaitOutlastsADaemonThatEndsBeforeItAnswers() throws {
        let daemon = try ScriptedDaemon { _ in .silence }
        let hasEnded = Mutex(false)
        daemon.answer { [weak daemon] request in
            guard request.method == "list" else {
                return .result(#"{"subscribed":["catalog"],"epoch":"e","since":0}"#)
            }
            guard hasEnded.withLock({ $0 }) else {
                daemon?.stop()
                hasEnded.withLock { $0 = true }
                return .end
            }
            return .result(
                #"{"state":"fresh","source":"sample","generation":null,"fetchedAt":null,"expiresAt":null,"apps":[]}"#)
        }
        let promoctl = PromoctlUnderTest(in: try ScratchDirectory(), environment: ["PROMOD_SOCKET": daemon.path])
        let wait = try promoctl.start(["wait"])
        #expect(comes { hasEnded.withLock { $0 } })
        // By now it has most probably found that nobody listens.
        try daemon.start()
        #expect(wait.wait() == .exited(0))
    }
}
