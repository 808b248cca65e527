import Foundation
import PromoTestSupport
import Testing

/// What `promoctl doctor` sees besides the problems of `status`: the socket's place, the units, the fetches. It runs in a network namespace
/// of its own where no other test's promod may be seen.
@Suite(.enabled(if: DaemonUnderTest.canMount, "there are no namespaces"))
struct PromoctlDoctorTests {
    private let scratch: ScratchDirectory
    private let promoctl: PromoctlUnderTest

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.write("run/.made", "")
        promoctl = PromoctlUnderTest(in: scratch, environment: ["PATH": scratch("bin") + ":/usr/bin:/bin"])
    }

    /// Puts a systemctl in place that prints the properties of the units; nil for one that reaches no systemd.
    /// - Parameter isEnabled: whether "is-enabled" says that the files enable them.
    private func install(_ properties: String?, isEnabled: Bool = false) throws {
        let text =
            properties.map { "[ $2 != is-enabled ] || exit \(isEnabled ? 0 : 1)\ncat <<'END'\n\($0)\nEND" }
            ?? "echo 'Failed to connect to bus' >&2; exit 1"
        try scratch.write("script", "#!/bin/sh\n\(text)\n")
        try scratch.install("bin/systemctl", copying: scratch("script"))
    }

    private func doctor(_ promoctl: PromoctlUnderTest? = nil, _ commands: String = ":") throws -> Ran {
        let script = "\(commands)\nexec '\(PromoctlUnderTest.binary)' doctor"
        return try Ran(
            ["/usr/bin/unshare", "--map-root-user", "--net", "/bin/sh", "-c", script],
            (promoctl ?? self.promoctl).environment)
    }

    private static let good = """
        Id=promod.socket
        LoadState=loaded
        ActiveState=active
        UnitFileState=enabled
        Result=success

        Id=promod.service
        LoadState=loaded
        ActiveState=inactive
        SubState=dead
        UnitFileState=static
        Result=success
        NRestarts=0
        """

    @Test(arguments: [
        ("LoadState=masked", "promod.socket is masked.\n  Run: systemctl --user unmask promod.socket\n"),
        (
            "LoadState=not-found",
            "promod.socket is not installed for this user.\n  Install promod's package, or run: promod --background\n"
        ),
        (
            "LoadState=loaded\nActiveState=inactive\nUnitFileState=disabled",
            "promod.socket is inactive.\n  Run: systemctl --user enable --now promod.socket\n"
        ),
        (
            "LoadState=loaded\nActiveState=active\nUnitFileState=disabled",
            "promod.socket is active, but not after the next login.\n  Run: systemctl --user enable promod.socket\n"
        ),
        (
            "LoadState=loaded\nActiveState=inactive\nUnitFileState=enabled\nConditionResult=no\nConditionTimestampMonotonic=7",
            "promod.socket is inactive, because its conditions refuse the user root.\n  Run: promod --background\n"
        ),
        (
            "LoadState=loaded\nActiveState=inactive\nUnitFileState=enabled\nConditionResult=no\nConditionTimestampMonotonic=0",
            "promod.socket is inactive.\n  Run: systemctl --user enable --now promod.socket\n"
        ),
        (
            "LoadState=loaded\nActiveState=failed\nResult=service-start-limit-hit",
            "promod.socket is failed: service-start-limit-hit.\n  Look for the reason with: journalctl --user -u "
                + "promod.socket -n 20, and then: systemctl --user restart promod.socket\n"
        ),
        (
            "LoadState=loaded\nActiveState=active\nUnitFileState=enabled\nResult=success\n\nId=promod.service\nLoadState=loaded\n"
                + "ActiveState=activating\nSubState=auto-restart\nResult=exit-code\nNRestarts=7",
            "promod.service is activating, after 7 restarts: exit-code.\n  Look for the reason with: journalctl --user -u "
                + "promod.service -n 20, and then: systemctl --user restart promod.socket\n"
        ),
    ])
    func theUnitThatIsAtFaultIsNamedAlone(properties: String, finding: String) throws {
        try install("Id=promod.socket\n\(properties)")
        let ran = try doctor()
        #expect((ran.code, ran.output, ran.error) == (1, finding, ""))
    }

    @Test func aPathOfItsOwnNeedsNoUnits() throws {
        try install("Id=promod.socket\nLoadState=masked")
        let ran = try doctor(promoctl.with(["PROMOD_SOCKET": scratch("other.sock")]))
        #expect(ran.code == 1)
        #expect(!ran.output.contains("masked"))
        #expect(ran.output.contains("promod cannot be reached at \(scratch("other.sock"))"))
        let daemon = try DaemonUnderTest(in: scratch)
        let own = promoctl.with(["PROMOD_SOCKET": daemon.socketPath, "XDG_RUNTIME_DIR": scratch("elsewhere")])
        #expect(try own.run("doctor").output == "Nothing is wrong.\n")
    }

    @Test func withoutASystemdAndASessionItSaysHowPromodIsStarted() throws {
        try install(nil)
        let ran = try doctor()
        #expect(ran.code == 1)
        #expect(ran.output.hasPrefix("promod does not answer at \(scratch("run/promod/promod.sock")), and "), "\(ran)")
    }

    @Test(arguments: ["XDG_RUNTIME_DIR", "PROMOD_SOCKET"])
    func aPromodThatListensElsewhereIsNamedWithBothPaths(variable: String) throws {
        let directory = scratch("other")
        try install("Listen=\(directory)/promod/promod.sock (Stream)\n" + Self.good)
        let wrong = variable == "PROMOD_SOCKET" ? scratch("wrong.sock") : scratch("wrong")
        // In the namespace, so that it is the only one.
        let start = """
            XDG_RUNTIME_DIR='\(directory)' PROMOD_SOCKET= '\(DaemonUnderTest.binary)' 2>/dev/null &
            while [ ! -S '\(directory)/promod/promod.sock' ]; do sleep 0.05; done
            trap "kill $!" EXIT
            '\(PromoctlUnderTest.binary)' doctor; code=$?; kill $!; wait; exit $code
            """
        for made in [directory, wrong] where !made.hasSuffix(".sock") {
            try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
        }
        let ran = try doctor(promoctl.with([variable: wrong]), start)
        let path = variable == "PROMOD_SOCKET" ? wrong : "\(wrong)/promod/promod.sock"
        #expect(ran.code == 1)
        #expect(
            ran.output
                == "This shell looks for promod at \(path) (\(variable)), but promod listens at "
                + "\(directory)/promod/promod.sock.\n  Run: export PROMOD_SOCKET=\(directory)/promod/promod.sock\n",
            "\(ran)")
    }

    @Test func whatIsEnabledForAllUsersSinceSystemdReadItIsEnabled() throws {
        try install("Id=promod.socket\nLoadState=loaded\nActiveState=active\nUnitFileState=disabled", isEnabled: true)
        #expect(try !doctor().output.contains("not after the next login"))
    }

    @Test(arguments: ["none", "file"]) func aRuntimeDirectoryThatIsNoneCountsAsNotSet(name: String) throws {
        try install(Self.good)
        try scratch.write("file", "")
        let ran = try promoctl.with(["XDG_RUNTIME_DIR": scratch(name)]).run("list")
        #expect(ran.code == 69)
        #expect(ran.error.contains(" /run/user/\(getuid())/promod/promod.sock"), "\(ran)")
    }

    @Test func nobodyIsSentToATestOfACatalog() throws {
        try install(Self.good)
        try scratch.write("catalog.json", SampleFile.text)
        let start = """
            '\(DaemonUnderTest.binary)' --catalog-file='\(scratch("catalog.json"))' >'\(scratch("out"))' 2>/dev/null &
            while [ ! -s '\(scratch("out"))' ]; do sleep 0.05; done
            trap "kill $!" EXIT
            '\(PromoctlUnderTest.binary)' doctor; code=$?; kill $!; wait; exit $code
            """
        let ran = try doctor(nil, start)
        #expect(ran.code == 1)
        #expect(!ran.output.contains("export "), "\(ran)")
        #expect(!ran.output.replacing(scratch.path, with: "").contains("/tmp/promod-"), "\(ran)")
    }

    @Test(.enabled(if: getuid() == 0, "only root has files of others")) func aSocketOfAnotherUserIsNamedAsThat() throws
    {
        try install(Self.good)
        try scratch.write("theirs/.made", "")
        #expect(chown(scratch("theirs"), 1000, 1000) == 0)
        let ran = try doctor(promoctl.with(["PROMOD_SOCKET": scratch("theirs") + "/promod.sock"]))
        #expect(ran.code == 1)
        #expect(
            ran.output.contains("(PROMOD_SOCKET), but \(scratch("theirs")) belongs to the user with the id "), "\(ran)")
        #expect(ran.output.contains("\n  promod answers only its own user. Leave out PROMOD_SOCKET for your own."))
    }

    @Test func theRuntimeDirectoryOfAnotherUserIsNamedWithBoth() throws {
        try install(Self.good)
        // In the namespace, every other owner is nobody.
        try scratch.write("theirs/.made", "")
        if getuid() == 0 { #expect(chown(scratch("theirs"), 1000, 1000) == 0) }
        let ran = try doctor(promoctl.with(["XDG_RUNTIME_DIR": getuid() == 0 ? scratch("theirs") : "/"]))
        #expect(ran.code == 1)
        #expect(ran.output.contains("belongs to the user with the id 65534, not 0."), "\(ran)")
        #expect(ran.output.contains("\n  Run it as that user, without sudo; or log in as "), "\(ran)")
    }

    @Test func whatTheDaemonCannotUseIsAProblemAlthoughThisShellCanUseIt() throws {
        try scratch.write("cache/promod/.made", "")
        let cache = scratch("cache/promod")
        let daemon = try DaemonUnderTest(
            in: scratch,
            launcher: DaemonUnderTest.mounting("mount --bind \(cache) \(cache) && mount -o remount,bind,ro \(cache)"))
        let doctor = try PromoctlUnderTest(daemon).run("doctor", "--json")
        #expect(doctor.code == 1)
        let problems = try doctor.json["problems"] as? [[String: String]] ?? []
        #expect(problems.map { $0["code"] } == ["directory"], "\(doctor)")
        #expect(problems.first?["text"]?.contains("Read-only file system") == true)
    }
}
