import Foundation
import PromoTestSupport
import Testing

/// `promoctl setup`, against nginx over TLS.
struct PromoctlSetupTests {
    private static let file = "config/promod/catalogs.d/default.toml"

    /// A command in the environment of a daemon without a catalog.
    private static func unconfigured() throws -> (PromoctlUnderTest, ScratchDirectory) {
        let daemon = try DaemonUnderTest(catalog: nil)
        return (PromoctlUnderTest(daemon), daemon.scratch)
    }

    private func setup(_ promoctl: PromoctlUnderTest, _ origin: NginxOrigin, _ more: String...) throws -> Ran {
        try promoctl.run(["setup", origin.url, "--ca-file", origin.caFile] + more)
    }

    @Test func anAddressIsWrittenAndFetchedAndTheListIsShown() throws {
        let origin = try NginxOrigin()
        let (promoctl, scratch) = try Self.unconfigured()
        let setup = try setup(promoctl, origin)
        #expect(setup.code == 0 && setup.lines.count == 5, "\(setup)")
        #expect(setup.error.hasSuffix("Wrote \(scratch(Self.file))\n"))
        let again = try self.setup(promoctl, origin)
        #expect(again.code == 0 && again.error.hasSuffix("This is already set in \(scratch(Self.file))\n"), "\(again)")
        let text = scratch.read(Self.file)
        #expect(text.contains("url = \"\(origin.url)\"\n") && text.contains("ca-file = \"\(origin.caFile)\"\n"))
        let attributes = try FileManager.default.attributesOfItem(atPath: scratch(Self.file))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try promoctl.run("status").output.contains("default  fresh"))
    }

    @Test func anotherCatalogHasAFileOfItsNameAndIsRemovedAlone() throws {
        let origin = try NginxOrigin()
        let (promoctl, scratch) = try Self.unconfigured()
        #expect(try setup(promoctl, origin).code == 0)
        #expect(try setup(promoctl, origin, "--catalog", "acme").code == 0)
        #expect(scratch.read("config/promod/catalogs.d/acme.toml").contains(origin.url))
        #expect(try promoctl.run("setup", "--remove", "--catalog", "acme").code == 0)
        #expect(scratch.read("config/promod/catalogs.d/acme.toml") == "")
        #expect(try promoctl.run("list").lines.count == 5)
    }

    @Test func aBrokenCatalogLeavesTheFileAsItWasAndForceWritesIt() throws {
        let (origin, broken) = (try NginxOrigin(), try NginxOrigin())
        try broken.publish(#"{"apps":[]}"#)
        let (promoctl, scratch) = try Self.unconfigured()
        #expect(try setup(promoctl, origin).code == 0)
        let before = scratch.read(Self.file)
        let refused = try setup(promoctl, broken)
        #expect(
            refused.code == 65 && refused.output == "" && refused.error.contains("default.toml is as it was"),
            "\(refused)")
        #expect(scratch.read(Self.file) == before)
        #expect(try promoctl.run("list").lines.count == 5)
        let forced = try setup(promoctl, broken, "--force")
        #expect(forced.code == 0 && forced.output.contains("breaks a rule"), "\(forced)")
        #expect(scratch.read(Self.file).contains(broken.url))
    }

    /// Begins a setup whose origin never answers, and waits until it is tried.
    private func begin(_ promoctl: PromoctlUnderTest, _ silent: SilentListener) throws -> ChildProcess {
        let child = try promoctl.start(["setup", "https://localhost:\(silent.port)/"])
        #expect(comes { silent.isConnected })
        return child
    }

    @Test(arguments: [SIGINT, SIGQUIT, SIGHUP])
    func anInterruptedSetupLeavesTheFileAsItWas(signal: Int32) throws {
        let (origin, silent) = (try NginxOrigin(), try SilentListener())
        let (promoctl, scratch) = try Self.unconfigured()
        #expect(try setup(promoctl, origin).code == 0)
        let before = scratch.read(Self.file)
        let child = try begin(promoctl, silent)
        child.signal(signal)
        #expect(child.wait() == .exited(128 + signal))
        #expect(scratch.read(Self.file) == before)
        #expect(try comes { try promoctl.run("list").lines.count == 5 })
    }

    @Test func afterAKilledSetupTheNextOneWorks() throws {
        let (origin, silent) = (try NginxOrigin(), try SilentListener())
        let (promoctl, scratch) = try Self.unconfigured()
        #expect(try setup(promoctl, origin).code == 0)
        let child = try begin(promoctl, silent)
        child.signal(SIGKILL)
        _ = child.wait()
        #expect(try setup(promoctl, origin).code == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch("config/promod/catalogs.d"))
        #expect(left == ["default.toml"])
    }

    @Test func whatAKilledSetupHasLeftIsNeverPutBackByAnother() throws {
        let (origin, silent) = (try NginxOrigin(), try SilentListener())
        let (promoctl, scratch) = try Self.unconfigured()
        let acme = "config/promod/catalogs.d/acme.toml"
        #expect(try setup(promoctl, origin).code == 0)
        #expect(try setup(promoctl, origin, "--catalog", "acme").code == 0)
        let files = [scratch.read(Self.file), scratch.read(acme)]
        let child = try promoctl.start(["setup", "https://localhost:\(silent.port)/", "--catalog", "acme"])
        #expect(comes { silent.isConnected })
        child.signal(SIGKILL)
        _ = child.wait()
        let tried = scratch.read(acme)
        #expect(tried.contains("https://localhost:\(silent.port)/"))
        #expect(scratch.read("config/promod/catalogs.d/.acme.toml.former") == files[1])
        let failed = try promoctl.run("setup", "https://localhost:1/c.json")
        #expect(failed.error.contains("default.toml is as it was"), "\(failed)")
        #expect([scratch.read(Self.file), scratch.read(acme)] == [files[0], tried])
        // The next one of the same catalog keeps what it finds.
        #expect(try promoctl.run("setup", "https://localhost:1/c.json", "--catalog", "acme").code == 75)
        #expect(scratch.read(acme) == tried)
    }

    @Test func whereLinksAreNotPossibleTheFormerFileIsCopied() throws {
        let (origin, scratch) = (try NginxOrigin(), try ScratchDirectory())
        let daemon = try DaemonUnderTest(in: scratch, catalog: nil)
        let promoctl = PromoctlUnderTest(daemon)
        #expect(try setup(promoctl, origin).code == 0)
        let before = scratch.read(Self.file)
        let failed = Ran(
            try ChildProcess.run(
                [
                    "/usr/bin/strace", "-f", "-o", scratch("trace"), "-e", "inject=/^link:error=EPERM",
                    PromoctlUnderTest.binary, "setup", "https://localhost:1/c.json",
                ], environment: promoctl.environment))
        #expect(scratch.read("trace").contains("EPERM (Operation not permitted) (INJECTED)"))
        #expect(failed.error.contains("default.toml is as it was"), "\(failed)")
        #expect(scratch.read(Self.file) == before)
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch("config/promod/catalogs.d"))
        #expect(left == ["default.toml"])
    }

    @Test(arguments: ["slash", "link"]) func theSameConfigurationByAnotherPathIsTheSame(path: String) throws {
        let origin = try NginxOrigin()
        let (promoctl, scratch) = try Self.unconfigured()
        try FileManager.default.createDirectory(atPath: scratch("config"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: scratch("link"), withDestinationPath: scratch("config"))
        let configuration = path == "slash" ? scratch("config") + "/" : scratch("link")
        let setup = try setup(promoctl.with(["XDG_CONFIG_HOME": configuration]), origin)
        #expect(setup.code == 0, "\(setup)")
        #expect(scratch.read(Self.file).contains(origin.url))
    }

    @Test func anotherConfigurationIsNamedAndLeftAsItWas() throws {
        let origin = try NginxOrigin()
        let (promoctl, scratch) = try Self.unconfigured()
        #expect(try setup(promoctl, origin).code == 0)
        let other = try setup(promoctl.with(["XDG_CONFIG_HOME": scratch("other")]), origin)
        #expect(other.code == 65)
        #expect(other.error.contains("promod reads \(scratch(Self.file)), not this file"), "\(other)")
        #expect(scratch.read("other/promod/catalogs.d/default.toml") == "")
    }

    @Test func anAddressOnTheCommandLineOverridesTheFileWhichStaysAsItWas() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest(
            catalog: nil, environment: ["PROMOD_CATALOG_URL": DaemonUnderTest.unfetched])
        let setup = try setup(PromoctlUnderTest(daemon), origin)
        #expect(setup.code == 65)
        #expect(setup.error.contains("promod was started with an address for this catalog"), "\(setup)")
        #expect(daemon.scratch.read(Self.file) == "")
    }

    @Test func aRelativeCertificateFileIsWrittenAsAnAbsoluteOne() throws {
        let origin = try NginxOrigin()
        let (promoctl, scratch) = try Self.unconfigured()
        let file = URL(fileURLWithPath: origin.caFile)
        let (directory, name) = (file.deletingLastPathComponent().path, file.lastPathComponent)
        let setup = try promoctl.shell("cd '\(directory)' && promoctl setup '\(origin.url)' --ca-file '\(name)'")
        #expect(setup.code == 0, "\(setup)")
        #expect(scratch.read(Self.file).contains("ca-file = \"\(origin.caFile)\"\n"))
        // promod names the path that it was given.
        let missing = try promoctl.shell("cd '\(directory)' && promoctl setup '\(origin.url)' --ca-file none.pem")
        #expect(missing.error.contains("\(directory)/none.pem"), "\(missing)")
    }

    @Test func whateverTheUmaskIsTheirOwnerCanReadWhatIsMade() throws {
        let scratch = try ScratchDirectory()
        let promoctl = PromoctlUnderTest(in: scratch).without("XDG_CONFIG_HOME")
        #expect(try promoctl.shell("umask 0777; promoctl setup https://example.com/c.json").code == 0)
        for (path, mode) in [
            (".config", 0o700), (".config/promod/catalogs.d", 0o700), (".config/promod/catalogs.d/default.toml", 0o600),
        ] {
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch(path))
            #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
        }
    }

    @Test(.enabled(if: DaemonUnderTest.canMount, "there are no namespaces"), arguments: [false, true])
    func aReadOnlyHomeIsNamedAsWhatItIs(hasFile: Bool) throws {
        let scratch = try ScratchDirectory()
        let promoctl = PromoctlUnderTest(in: scratch)
        if hasFile { #expect(try promoctl.run("setup", "https://example.com/a").code == 0) }
        let home = scratch.path
        let script =
            "mount --bind \(home) \(home) && mount -o remount,bind,ro \(home) && exec '\(PromoctlUnderTest.binary)' "
            + "setup https://example.com/b"
        let ran = Ran(
            try ChildProcess.run(
                ["/usr/bin/unshare", "--map-root-user", "--mount", "/bin/sh", "-c", script],
                environment: promoctl.environment))
        #expect(ran.code == 74)
        #expect(ran.error.lowercased().contains("cannot be written: read-only file system."), "\(ran)")
    }

    @Test func ofTwoSetupsAtOnceTheSecondChangesNothing() throws {
        let (origin, silent) = (try NginxOrigin(), try SilentListener())
        let (promoctl, _) = try Self.unconfigured()
        let child = try begin(promoctl, silent)
        let second = try setup(promoctl, origin)
        #expect(second.code == 75 && second.error.contains("Another promoctl setup"), "\(second)")
        #expect(try promoctl.run("setup", "--remove").code == 75)
        child.signal(SIGINT)
        _ = child.wait()
        #expect(try setup(promoctl, origin).code == 0)
    }

    @Test func aFailedSetupOverABrokenFilePutsItBack() throws {
        let origin = try NginxOrigin()
        let (promoctl, scratch) = try Self.unconfigured()
        #expect(try setup(promoctl, origin).code == 0)
        try scratch.write(Self.file, "url = \n")
        #expect(try promoctl.run("setup", "https://localhost:1/c.json").code == 75)
        #expect(scratch.read(Self.file) == "url = \n")
    }

    @Test func aLinkIsFollowedAndOneToNothingIsReplaced() throws {
        let origin = try NginxOrigin()
        let (promoctl, scratch) = try Self.unconfigured()
        try scratch.write("dotfiles/default.toml", "")
        try FileManager.default.createDirectory(
            atPath: scratch("config/promod/catalogs.d"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: scratch(Self.file), withDestinationPath: scratch("dotfiles/default.toml"))
        #expect(try setup(promoctl, origin).code == 0)
        #expect(scratch.read("dotfiles/default.toml").contains(origin.url))
        let mask = scratch("config/promod/catalogs.d/acme.toml")
        try FileManager.default.createSymbolicLink(atPath: mask, withDestinationPath: "/dev/null")
        // What is put back is the link.
        #expect(try promoctl.run("setup", "https://localhost:1/c.json", "--catalog", "acme").code == 75)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: mask) == "/dev/null")
        #expect(try setup(promoctl, origin, "--catalog", "acme").code == 0)
        #expect(scratch.read("config/promod/catalogs.d/acme.toml").contains(origin.url))
    }

    @Test func withoutAPromodTheFileIsWrittenAndTheMessageSaysHowToStartIt() throws {
        let scratch = try ScratchDirectory()
        let setup = try PromoctlUnderTest(in: scratch).run("setup", "https://example.com/c.json")
        #expect(setup.code == 0, "\(setup)")
        #expect((setup.output + setup.error).contains("systemctl --user start promod.socket"), "\(setup)")
        #expect(scratch.read(Self.file).contains("https://example.com/c.json"))
    }
}
