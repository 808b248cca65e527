import Foundation
import PromoTestSupport
import Testing

/// `promoctl setup`, against nginx over TLS.
struct PromoctlSetupTests {
    private static let directory = "config/promod/catalogs.d"
    private static let file = "\(directory)/default.toml"

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
        #expect((setup.code, setup.lines.count) == (0, 5), "\(setup)")
        #expect(setup.error.hasSuffix("Wrote \(scratch(Self.file))\n"))
        for line in origin.dropIn.split(separator: "\n") { #expect(scratch.read(Self.file).contains(line)) }
        #expect(try scratch.mode(Self.file) == 0o600)
        #expect(try promoctl.run("status").output.contains("default  fresh"))
    }

    @Test func anotherCatalogHasAFileOfItsNameAndIsRemovedAlone() throws {
        let origin = try NginxOrigin()
        let (promoctl, scratch) = try Self.unconfigured()
        #expect(try setup(promoctl, origin).code == 0)
        #expect(try setup(promoctl, origin, "--catalog", "acme").code == 0)
        #expect(scratch.read("\(Self.directory)/acme.toml").contains(origin.url))
        #expect(try promoctl.run("setup", "--remove", "--catalog", "acme").code == 0)
        #expect(scratch.read("\(Self.directory)/acme.toml") == "")
        #expect(try promoctl.run("list").lines.count == 5)
    }

    @Test func aBrokenCatalogIsNotWrittenWithoutForce() throws {
        let (origin, broken) = (try NginxOrigin(), try NginxOrigin())
        try broken.publish(#"{"apps":[]}"#)
        let (promoctl, scratch) = try Self.unconfigured()
        #expect(try setup(promoctl, origin).code == 0)
        let before = scratch.read(Self.file)
        let refused = try setup(promoctl, broken)
        #expect((refused.code, refused.output) == (65, ""))
        #expect(refused.error.hasSuffix("\npromoctl: Nothing was written.\n"), "\(refused)")
        #expect(refused.error.contains(": error: /apps: "))
        #expect(scratch.read(Self.file) == before)
        #expect(try promoctl.run("list").lines.count == 5)
        let forced = try setup(promoctl, broken, "--force")
        #expect(forced.code == 0, "\(forced)")
        #expect(forced.output.contains("breaks a rule"))
        #expect(scratch.read(Self.file).contains(broken.url))
    }

    @Test(arguments: [SIGINT, SIGKILL])
    func anInterruptedSetupHasWrittenNothingAndLeavesNoProcess(signal: Int32) throws {
        let origin = try NginxOrigin(locations: "location /slow/ { limit_rate 1; rewrite ^/slow(.*) $1 break; }")
        let (promoctl, scratch) = try Self.unconfigured()
        #expect(try setup(promoctl, origin).code == 0)
        let before = scratch.read(Self.file)
        let slow = origin.url.replacing("catalog", with: "slow/catalog")
        let child = try promoctl.start(["setup", slow, "--ca-file", origin.caFile])
        let check = try awaited("the check of the catalog") { child.children.first }
        child.signal(signal)
        #expect(child.wait() == .signalled(signal))
        #expect(comes { kill(check, 0) != 0 })
        #expect(scratch.read(Self.file) == before)
        #expect(try scratch.names(in: Self.directory) == ["default.toml"])
    }

    @Test(arguments: ["slash", "link"]) func theSameConfigurationByAnotherPathIsTheSame(path: String) throws {
        let origin = try NginxOrigin()
        let (promoctl, scratch) = try Self.unconfigured()
        try scratch.write("config/.keep", "")
        try scratch.link("link", to: scratch("config"))
        let configuration = path == "slash" ? scratch("config") + "/" : scratch("link")
        let setup = try setup(promoctl.with(["XDG_CONFIG_HOME": configuration]), origin)
        #expect(setup.code == 0, "\(setup)")
        #expect(scratch.read(Self.file).contains(origin.url))
    }

    @Test func anotherConfigurationIsNamed() throws {
        let origin = try NginxOrigin()
        let (promoctl, scratch) = try Self.unconfigured()
        #expect(try setup(promoctl, origin).code == 0)
        let other = try setup(promoctl.with(["XDG_CONFIG_HOME": scratch("other")]), origin)
        #expect(other.code == 65)
        #expect(other.error.contains("promod reads \(scratch(Self.file)), not this file"), "\(other)")
    }

    @Test func anAddressOnTheCommandLineOverridesTheFile() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest(catalog: nil, settings: ["catalog-url": DaemonUnderTest.unfetched])
        let setup = try setup(PromoctlUnderTest(daemon), origin)
        #expect(setup.code == 65)
        #expect(setup.error.contains("promod was started with an address for this catalog"), "\(setup)")
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
        #expect(try promoctl.shell("umask 0777; promoctl setup --force https://example.com/c.json").code == 0)
        for (path, mode) in [
            (".config", 0o700), (".config/promod/catalogs.d", 0o700), (".config/promod/catalogs.d/default.toml", 0o600),
        ] {
            #expect(try scratch.mode(path) == mode, "\(path)")
        }
    }

    @Test(.enabled(if: DaemonUnderTest.canMount, "there are no namespaces"), arguments: [false, true])
    func aReadOnlyHomeIsNamedAsWhatItIs(hasFile: Bool) throws {
        let scratch = try ScratchDirectory()
        let promoctl = PromoctlUnderTest(in: scratch)
        if hasFile { #expect(try promoctl.run("setup", "--force", "https://example.com/a").code == 0) }
        let home = scratch.path
        let script =
            "mount --bind \(home) \(home) && mount -o remount,bind,ro \(home) && exec '\(PromoctlUnderTest.binary)' "
            + "setup --force https://example.com/b"
        let ran = try Ran(
            ["/usr/bin/unshare", "--map-root-user", "--mount", "/bin/sh", "-c", script], promoctl.environment)
        #expect(ran.code == 74)
        #expect(ran.error.lowercased().contains("cannot be written: read-only file system."), "\(ran)")
    }

    @Test func aLinkIsFollowedAndOneToNothingIsReplaced() throws {
        let origin = try NginxOrigin()
        let (promoctl, scratch) = try Self.unconfigured()
        try scratch.write("dotfiles/default.toml", "")
        try scratch.write("\(Self.directory)/.keep", "")
        try scratch.link(Self.file, to: scratch("dotfiles/default.toml"))
        #expect(try setup(promoctl, origin).code == 0)
        #expect(scratch.read("dotfiles/default.toml").contains(origin.url))
        let mask = "\(Self.directory)/acme.toml"
        try scratch.link(mask, to: "/dev/null")
        #expect(try promoctl.run("setup", "https://localhost:1/c.json", "--catalog", "acme").code == 75)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch(mask)) == "/dev/null")
        #expect(try setup(promoctl, origin, "--catalog", "acme").code == 0)
        #expect(scratch.read(mask).contains(origin.url))
    }

    @Test func withoutAPromodTheCatalogIsCheckedAndTheMessageSaysHowToStartIt() throws {
        let (origin, scratch) = (try NginxOrigin(), try ScratchDirectory())
        let promoctl = PromoctlUnderTest(in: scratch)
        let refused = try promoctl.run("setup", "https://localhost:1/c.json")
        #expect(refused.code == 75)
        #expect(refused.error.contains("Cannot connect to localhost:1"))
        #expect(scratch.read(Self.file) == "")
        let setup = try setup(promoctl, origin)
        #expect(setup.code == 0, "\(setup)")
        let advice = "Start it with \"systemctl --user restart promod.socket\""
        #expect((setup.output + setup.error).contains(advice), "\(setup)")
        #expect(scratch.read(Self.file).contains(origin.url))
    }

    @Test func whatPromodCannotFetchAfterTheCheckIsSaid() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest(catalog: nil, environment: ["https_proxy": "http://localhost:1"])
        let setup = try setup(PromoctlUnderTest(daemon).without("https_proxy"), origin)
        #expect(setup.code == 75, "\(setup)")
        for part in ["Wrote ", ", but: "] { #expect(setup.error.contains(part)) }
    }
}
