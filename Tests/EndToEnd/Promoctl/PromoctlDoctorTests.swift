import Foundation
import PromoTestSupport
import Testing

/// `promoctl doctor`: each line is good, or says what to do.
struct PromoctlDoctorTests {
    private func checks(_ ran: Ran) throws -> [String: (verdict: String, text: String)] {
        let list = try ran.json["checks"] as? [[String: String]] ?? []
        return Dictionary(
            list.map { ($0["subject"] ?? "", ($0["verdict"] ?? "", $0["text"] ?? "")) }, uniquingKeysWith: { $1 })
    }

    @Test func ifEverythingWorksNothingIsBad() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest()
        let promoctl = PromoctlUnderTest(daemon)
        #expect(try promoctl.run("setup", origin.url, "--ca-file", origin.caFile).code == 0)
        let doctor = try promoctl.run("doctor", "--json")
        #expect((doctor.code, doctor.error) == (0, ""))
        let checks = try checks(doctor)
        for subject in [
            "Socket", "Program", "Configuration", "Served", "Catalog", "Proxy", "Cache", "Reviews",
        ] {
            #expect(checks[subject]?.verdict == "good", "\(subject): \(checks[subject]?.text ?? "missing")")
        }
        #expect(checks["Configuration"]?.text.contains(daemon.scratch("config/promod/config.toml")) == true)
        #expect(checks["Catalog"]?.text.contains("5 apps") == true)
        #expect(checks["Clock"] != nil)
        let words = try promoctl.run("doctor")
        #expect(words.lines.count == checks.count)
        #expect(words.lines.first?.hasPrefix("good     Socket ") == true)
        #expect(try promoctl.draw(columns: 50, "doctor").screen.others == [])
    }

    @Test(.enabled(if: DaemonUnderTest.canMount, "there are no mount namespaces"))
    func whatTheDaemonCannotUseIsBadAlthoughThisShellCan() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("cache/promod/.made", "")
        let origin = try NginxOrigin()
        try scratch.write("hidden/ca.pem", try String(contentsOfFile: origin.caFile, encoding: .utf8))
        try scratch.write("config/promod/config.toml", "network.ca-file = \"\(scratch("hidden/ca.pem"))\"\n")
        let cache = scratch("cache/promod")
        let daemon = try DaemonUnderTest(
            in: scratch,
            launcher: DaemonUnderTest.mounting("mount --bind \(cache) \(cache) && mount -o remount,bind,ro \(cache)"))
        let doctor = try PromoctlUnderTest(daemon).run("doctor", "--json")
        #expect(doctor.code == 1)
        let checks = try checks(doctor)
        #expect(checks["Cache"]?.verdict == "bad" && checks["Cache"]?.text.contains("Read-only") == true, "\(checks)")
        #expect(checks["Reviews"]?.verdict == "good")
        #expect(checks["Directories"]?.verdict == "good")
        #expect(checks["Sandbox"] != nil)
    }

    @Test func whatIsWrongIsNamedWithWhatToDo() throws {
        let origin = try NginxOrigin()
        let promoctl = PromoctlUnderTest(try DaemonUnderTest())
        #expect(try promoctl.run("setup", origin.url, "--ca-file", origin.caFile).code == 0)
        origin.stop()
        let doctor = try promoctl.with(["https_proxy": "http://ana:hunter2@proxy:3128"]).run("doctor", "--json")
        #expect(doctor.code == 1)
        let checks = try checks(doctor)
        #expect(checks["Catalog"]?.verdict == "bad")
        #expect(checks["Catalog"]?.text.contains("The name of the proxy http://proxy:3128 cannot be resolved") == true)
        #expect(checks["Proxy"]?.verdict == "warning")
        #expect(checks["Proxy"]?.text.contains("http://proxy:3128 (https_proxy)") == true)
        #expect(!doctor.output.contains("hunter2"))
    }

    @Test func aNameThatDoesNotResolveIsReportedOnce() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("config/promod/catalogs.d/default.toml", "url = \"https://no-such-host.invalid/c.json\"\n")
        let doctor = try PromoctlUnderTest(in: scratch).run("doctor", "--json")
        #expect((doctor.code, doctor.error) == (1, ""))
        let checks = try checks(doctor)
        #expect(checks["Catalog"]?.verdict == "bad")
        #expect(checks["Catalog"]?.text.contains("no-such-host.invalid") == true)
        #expect(checks["Socket"]?.verdict == "bad")
    }

    @Test func aBrokenConfigurationIsShownWithItsLine() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("config/promod/config.toml", "[refresh]\nintervall = \"1h\"\n")
        let doctor = try PromoctlUnderTest(in: scratch).run("doctor", "--json")
        #expect(doctor.code == 1)
        #expect(try checks(doctor)["Configuration"]?.text.contains("config.toml:2: ") == true)
    }

    @Test func aBrokenDropInIsReportedOnce() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("data/promod/catalogs.d/acme.toml", "url = 5\n")
        let doctor = try PromoctlUnderTest(try DaemonUnderTest(in: scratch)).run("doctor")
        #expect(doctor.lines.filter { $0.contains("acme") }.count == 1, "\(doctor.output)")
        #expect(doctor.output.contains("bad      Configuration of acme"))
    }

    @Test func ifTheSocketWasRemovedTheAdviceIsToRestartPromod() throws {
        let daemon = try DaemonUnderTest()
        unlink(daemon.socketPath)
        let doctor = try PromoctlUnderTest(daemon).run("doctor")
        let lines = doctor.lines.filter { $0.contains("Socket") }
        #expect(lines.count == 1 && lines[0].contains("promod runs, but its socket was removed."), "\(doctor.output)")
        let second = try ChildProcess.run(
            [DaemonUnderTest.binary], environment: DaemonUnderTest.environment(in: daemon.scratch))
        let remedy = "; its socket was removed, so end it and start promod again\n"
        #expect(second.end == .exited(75) && second.error.hasSuffix(remedy), "\(second.error)")
    }

    @Test func ifTheUnitIsAtFaultTheSocketIsNotAnotherFinding() throws {
        let scratch = try ScratchDirectory()
        let unit = "Id=promod.socket\nLoadState=loaded\nActiveState=inactive\nUnitFileState=disabled\n"
        try scratch.write("script", "#!/bin/sh\ncat <<'END'\n\(unit)END\n")
        try scratch.install("bin/systemctl", copying: scratch("script"))
        let promoctl = PromoctlUnderTest(in: scratch, environment: ["PATH": scratch("bin") + ":/usr/bin:/bin"])
        let bad = try promoctl.run("doctor").lines.filter { $0.hasPrefix("bad ") }
        #expect(
            bad.count == 1 && bad[0].hasSuffix("It is inactive: systemctl --user enable --now promod.socket"), "\(bad)")
        let elsewhere = try promoctl.run("doctor", "--socket", scratch("other.sock")).output
        #expect(elsewhere.contains("promod cannot be reached at \(scratch("other.sock"))"), "\(elsewhere)")
    }

    @Test func onANarrowTerminalTheTextStandsBelowItsSubject() throws {
        let drawn = try PromoctlUnderTest(try DaemonUnderTest()).draw(columns: 40, "doctor")
        #expect(drawn.screen.others == [])
        for (line, width) in zip(drawn.lines, try ReferenceWidth.columns(drawn.lines)) {
            #expect(width <= 40 || !line.dropFirst(2).contains(" "), "\(line)")
            let isFirst = ["good: ", "warning: ", "bad: "].contains { line.hasPrefix($0) }
            #expect(isFirst || line.hasPrefix("  ") && !line.hasPrefix("   "), "\(line)")
        }
    }

    @Test func aNameLookUpThatEndsAfterItsFetchSaysNothingOnStandardError() throws {
        for _ in 0..<5 {
            let ran = try PromoctlUnderTest(in: try ScratchDirectory()).run("validate", "https://no-such-host.invalid/")
            #expect(ran.code == 69)
            #expect(ran.error == "promod: The name no-such-host.invalid cannot be resolved.\n")
        }
    }
}
