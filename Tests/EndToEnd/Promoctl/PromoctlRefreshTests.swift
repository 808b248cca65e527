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
        let json = try daemon.fetching { try promoctl.run("refresh", "--json") }
        #expect(try json.json["outcome"] as? String == "unchanged")
        #expect([updated.code, json.code] == [0, 0])
        #expect([unchanged.error, updated.error, json.error] == ["", "", ""])
    }

    @Test func aFailedRefreshExitsWith75AndSaysThatTheOldCatalogIsKept() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin)
        let promoctl = PromoctlUnderTest(daemon)
        origin.stop()
        let failed = try daemon.fetching { try promoctl.run("refresh") }
        #expect((failed.code, failed.output) == (75, ""))
        let words =
            "promoctl: The refresh failed. .*Connection refused.* is kept. promod tries again at \(shortTime):..\\. Check whether .*\n"
        #expect(failed.error.matches(words), "\(failed.error)")
        let json = try promoctl.run("refresh", "--json")
        #expect((json.code, json.error) == (75, ""))
        #expect(try json.json["outcome"] as? String == "failed")
        #expect(try promoctl.run("list").lines.count == 5)
    }

    @Test func aListRightAfterAClearWaitsForTheFetchThatFollows() throws {
        let origin = try NginxOrigin()
        let promoctl = PromoctlUnderTest(try DaemonUnderTest.keeping(origin))
        #expect(try promoctl.run("clear").code == 0)
        #expect(try promoctl.run("list").lines.count == 5)
    }

    @Test func withoutAnOriginTheRefreshIsRefused() throws {
        for (catalog, words) in [(nil, "No catalog is configured"), ("sample", "The sample needs no refresh")] {
            let refused = try PromoctlUnderTest(try DaemonUnderTest(catalog: catalog)).run("refresh")
            #expect((refused.code, refused.output) == (65, ""))
            #expect(refused.error.hasPrefix("promoctl: \(words)"))
        }
    }

    @Test func onATerminalTheProgressIsShownAndLeavesNothingBehind() throws {
        let silent = try SilentListener()
        let daemon = try DaemonUnderTest(environment: [
            "PROMOD_CATALOG_URL": "https://localhost:\(silent.port)/", "PROMOD_REFRESH_TIMEOUT": "2s",
        ])
        let drawn = try PromoctlUnderTest(daemon).draw(columns: 80, "refresh")
        #expect(drawn.code == 75)
        #expect(drawn.text.contains("\rFetching https://localhost:\(silent.port)/… 1 s"))
        #expect(drawn.text.contains("\r\u{1B}[Kpromoctl: The refresh failed."))
        #expect(drawn.lines.count == 1)
        #expect(drawn.lines.first?.hasPrefix("promoctl: The refresh failed.") == true)
    }

    @Test func theProgressStaysOnOneLineOfANarrowTerminal() throws {
        let silent = try SilentListener()
        let path = String(repeating: "long/", count: 30)
        let daemon = try DaemonUnderTest(environment: [
            "PROMOD_CATALOG_URL": "https://localhost:\(silent.port)/\(path)", "PROMOD_REFRESH_TIMEOUT": "2s",
        ])
        let drawn = try PromoctlUnderTest(daemon).draw(columns: 60, "refresh")
        let steps = drawn.text.split(separator: "\r").filter { $0.hasPrefix("Fetching") }
            .map { String($0.replacing("\u{1B}[K", with: "")) }
        #expect(steps.count >= 2)
        for (step, width) in zip(steps, try ReferenceWidth.columns(steps)) { #expect(width < 60, "\(step)") }
        #expect(steps.last?.hasSuffix(" s") == true)
    }

    @Test func clearForgetsTheCatalogAndWaitReturnsWhenThereIsOneAgain() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin)
        let promoctl = PromoctlUnderTest(daemon)
        let clear = try promoctl.run("clear")
        #expect(clear.code == 0)
        #expect(clear.output.contains("\"promoctl wait\"") && clear.lines.count == 1)
        #expect(try promoctl.run("wait").code == 0)
        #expect(try promoctl.run("list").lines.count == 5)
        #expect(origin.log.filter { $0.contains("/catalog.json 200") }.count == 2)
        #expect(try promoctl.run("clear", "--json").output == "{\"cleared\":true}\n")
    }

    @Test func whereNoCatalogIsConfiguredClearPromisesNone() throws {
        let clear = try PromoctlUnderTest(try DaemonUnderTest(catalog: nil)).run("clear")
        #expect(clear.code == 0)
        #expect(clear.output.hasPrefix("No catalog is configured."), "\(clear)")
    }

    @Test func clearingTheOnlyCopyAsksOnATerminalAndNeedsYesInAScript() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest.keeping(origin)
        let promoctl = PromoctlUnderTest(daemon)
        #expect(try promoctl.run("wait").code == 0)
        origin.stop()
        #expect(try daemon.fetching { try promoctl.run("refresh") }.code == 75)
        let words = "the only copy of the catalog (5 apps)."
        let terminal = try Pseudoterminal(columns: 100)
        let child = try terminal.start([PromoctlUnderTest.binary, "clear"], environment: promoctl.environment)
        terminal.write("n\n")
        let text = terminal.read()
        #expect(child.wait() == .exited(1))
        #expect(
            text.contains(words) && text.contains("Go on? [y/N]") && text.contains("Nothing was cleared."), "\(text)"
        )
        #expect(try promoctl.run("list").lines.count == 5)
        for more in [[], ["--json"]] {
            let refused = try promoctl.run(["clear"] + more)
            #expect((refused.code, refused.output) == (64, ""))
            #expect(refused.error.contains(words) && refused.error.contains("--yes"), "\(refused.error)")
        }
        #expect(try promoctl.run("list").lines.count == 5)
        #expect(try promoctl.run("clear", "--yes").code == 0)
        #expect(try promoctl.run("list").code == 75)
    }

    @Test func aReloadPutsTheFileIntoForce() throws {
        let scratch = try ScratchDirectory()
        let daemon = try DaemonUnderTest(in: scratch)
        let promoctl = PromoctlUnderTest(daemon)
        let reload = try promoctl.run("reload")
        #expect((reload.code, reload.output, reload.error) == (0, "The configuration is in force.\n", ""))
        #expect(try promoctl.run("reload", "--json").output == "{\"reloaded\":true}\n")
        try scratch.write("config/promod/config.toml", "[review]\nmin-completions = \"many\"\n")
        let refused = try promoctl.run("reload")
        #expect((refused.code, refused.output) == (65, ""))
        #expect(refused.error.contains("config.toml:2"))
        #expect(refused.error.contains("review.min-completions"))
        #expect(try PromoctlError(promoctl.run("reload", "--json").error).reason == "bad-configuration")
    }

    @Test func aReloadReportsEveryBrokenFileAndWhatToDo() throws {
        let scratch = try ScratchDirectory()
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(in: scratch))
        try scratch.write("data/promod/catalogs.d/acme.toml", "url = 5\n")
        try scratch.write("data/promod/catalogs.d/other.toml", "url = \"https\n")
        let files = ["acme.toml:1: url takes ", "other.toml:1: the string "].map {
            scratch("data/promod/catalogs.d/") + $0
        }
        let broken = try promoctl.run("reload")
        #expect((broken.code, broken.output) == (1, ""))
        for file in files { #expect(broken.error.contains(": \(file)"), "\(broken.error)") }
        #expect(broken.error.components(separatedBy: "Fix the file; promod reads it again by itself.\n").count == 3)
        let json = try promoctl.run("reload", "--json")
        #expect((json.code, json.output) == (1, "{\"reloaded\":true}\n"))
        for file in files { #expect(try PromoctlError(json.error).message.contains(file)) }
        try scratch.write("config/promod/config.toml", "[review]\nmin-completions = \"many\"\n")
        let refused = try promoctl.run("reload")
        #expect((refused.code, refused.output) == (65, ""))
        let lines = refused.error.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasSuffix(" and then: promoctl reload"), "\(refused.error)")
        for file in files { #expect(refused.error.contains(file)) }
    }

    @Test func aWaitEndsAtOnceWhereThereIsACatalog() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        let wait = try promoctl.run("wait")
        #expect((wait.code, wait.output, wait.error) == (0, "", ""))
        #expect(try promoctl.run("wait", "--json").json["state"] as? String == "loaded")
    }

    @Test func aWaitOfNoTimeAsksOnce() throws {
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        #expect(try promoctl.run("wait", "--timeout", "0s").code == 0)
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
                #"{"state":"loaded","source":"sample","generation":null,"fetchedAt":null,"expiresAt":null,"apps":[]}"#)
        }
        let promoctl = PromoctlUnderTest(in: try ScratchDirectory(), environment: ["PROMOD_SOCKET": daemon.path])
        let wait = try promoctl.start(["wait"])
        #expect(comes { hasEnded.withLock { $0 } })
        // By now it has most probably found that nobody listens.
        try daemon.start()
        #expect(wait.wait() == .exited(0))
    }

    @Test func aWaitThatIsOverSaysWhatItWaitedFor() throws {
        let scratch = try ScratchDirectory()
        let promoctl = PromoctlUnderTest(in: scratch)
        let alone = try promoctl.run("wait", "--timeout", "200ms")
        #expect((alone.code, alone.output) == (75, ""))
        #expect(alone.error.hasPrefix("promoctl: No catalog within 200ms. promod cannot be reached at "))
        let nobody = try LoopbackPort()
        defer { withExtendedLifetime(nobody) {} }
        let daemon = try DaemonUnderTest(
            in: scratch, environment: ["PROMOD_CATALOG_URL": "https://localhost:\(nobody.number)/"])
        try daemon.waitForFirstAttempt()
        let empty = try promoctl.run("wait", "--timeout", "500ms", "--json")
        #expect((empty.code, empty.output) == (75, ""))
        let message = try PromoctlError(empty.error).message
        #expect(message.hasPrefix("No catalog within 500ms.") && message.contains("(empty)"), "\(message)")
    }
}
