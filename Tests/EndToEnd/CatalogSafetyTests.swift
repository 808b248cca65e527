import Foundation
import PromoTestSupport
import Testing

/// Catalogs that are not taken: a signature is missing, older, or most apps are gone.
struct CatalogSafetyTests {
    /// A catalog with the given apps, by the program that signs it if there is a key.
    private func catalog(_ apps: [String], key: String? = nil, in scratch: ScratchDirectory) throws -> String {
        let rows = apps.map {
            #"{"id":"\#($0)","name":"\#($0)","appStoreID":"1","iconURL":"https://a.example/i","category":"other","tagline":{"en":"e"}}"#
        }
        let text = "{\n  \"apps\": [\(rows.joined(separator: ",\n"))],\n  \"promoRules\": {}\n}\n"
        guard let key else { return text }
        try scratch.write("unsigned.json", text)
        return try promod("sign", "--key", key, scratch("unsigned.json"))
    }

    private func time(of catalog: String) -> String? {
        catalog.components(separatedBy: "\"signedAt\": \"").last?.components(separatedBy: "\"").first
    }

    private func promod(_ arguments: String...) throws -> String {
        let (end, output, error) = try ChildProcess.run([DaemonUnderTest.binary] + arguments)
        guard end == .exited(0) else { throw TestFailure("promod \(arguments): \(error)") }
        return output
    }

    private func configure(_ origin: NginxOrigin, _ more: String, in scratch: ScratchDirectory) throws {
        try scratch.write(
            "config/promod/config.toml",
            "catalog.url = \"\(origin.url)\"\ncatalog.ca-file = \"\(origin.caFile)\"\nrefresh.min-gap = \"0s\"\n\(more)\n"
        )
    }

    // MARK: Signatures

    @Test func onlyWhatIsSignedWithTheKeyIsTakenAndTheLastGoodOneStays() throws {
        let (scratch, origin) = (try ScratchDirectory(), try NginxOrigin())
        let key = try promod("generate-key", scratch("key")).trimmingCharacters(in: .newlines)
        #expect(try promod("generate-key", "--show", scratch("key")) == "\(key)\n")
        try configure(origin, "catalog.public-key = \"\(key)\"", in: scratch)
        let first = try catalog(["a", "b"], key: scratch("key"), in: scratch)
        try origin.publish(first)
        let daemon = try DaemonUnderTest(in: scratch)
        let promoctl = PromoctlUnderTest(daemon)
        #expect(try promoctl.run("wait").code == 0)
        #expect(try daemon.ask(#"{"method":"list"}"#).apps == ["a", "b"])
        try origin.publish(try catalog(["a", "b", "c"], in: scratch))
        let refresh = try promoctl.run("refresh")
        #expect(refresh.code == 75 && refresh.error.contains("The catalog is not signed"), "\(refresh.error)")
        #expect(try daemon.ask(#"{"method":"list"}"#).apps == ["a", "b"])
        let checked = try promoctl.run("validate", origin.url)
        #expect(checked.code == 65 && checked.output.contains("not signed"), "validate asks for it as the daemon does")
        let doctor = try promoctl.run("doctor")
        #expect(doctor.code == 1 && doctor.output.contains("The catalog is not signed"))
        // Of two catalogs of the same second, the second is refused.
        var second = first
        while time(of: second) == time(of: first) { second = try catalog(["c"], key: scratch("key"), in: scratch) }
        try origin.publish(second)
        #expect(try daemon.ask(#"{"method":"refresh"}"#).outcome == "updated")
        #expect(try promoctl.run("explain").output.contains("the origin sent the catalog that is served"))
    }

    @Test func aKeyThatCannotBeWrittenWholeLeavesNoFileInTheWayOfTheNext() throws {
        let scratch = try ScratchDirectory()
        let (end, _, _) = try ChildProcess.run([
            "/bin/bash", "-c",
            "trap '' XFSZ; ulimit -f 0; exec '\(DaemonUnderTest.binary)' generate-key '\(scratch("key"))'",
        ])
        #expect(end == .exited(73))
        #expect(try promod("generate-key", scratch("key")).count == 45)
    }

    @Test func anOlderSignedCatalogIsNotTakenAndThatIsSaid() throws {
        let (scratch, origin) = (try ScratchDirectory(), try NginxOrigin())
        let key = try promod("generate-key", scratch("key")).trimmingCharacters(in: .newlines)
        let old = try catalog(["older"], key: scratch("key"), in: scratch)
        // The time of a signature has whole seconds.
        var new = old
        while time(of: new) == time(of: old) { new = try catalog(["new"], key: scratch("key"), in: scratch) }
        try origin.publish(new)
        // The key comes with a reload, after the catalog was fetched without one.
        try configure(origin, "", in: scratch)
        let daemon = try DaemonUnderTest(in: scratch)
        let promoctl = PromoctlUnderTest(daemon)
        #expect(try promoctl.run("wait").code == 0)
        try configure(origin, "catalog.public-key = \"\(key)\"", in: scratch)
        #expect(try promoctl.run("reload").code == 0)
        try origin.publish(old)
        let refresh = try daemon.ask(#"{"method":"refresh"}"#)
        #expect(refresh.outcome == "failed" && refresh.failure == "signature", "\(refresh)")
        #expect(try daemon.ask(#"{"method":"list"}"#).apps == ["new"])
        let setup = try promoctl.run("setup", origin.url)
        #expect(setup.code == 0 && setup.error.contains("before the one that was accepted"), "\(setup.error)")
        #expect(try daemon.ask(#"{"method":"list"}"#).apps == ["new"], "setup is no way around it")
        for (command, code) in ["status": 0, "explain": 0, "doctor": 1, "check": 2] as [String: Int32] {
            let (output, found) = try { ($0.output, $0.code) }(promoctl.run(command))
            #expect(found == code && output.contains("before the one that was accepted"), "\(command): \(output)")
        }
        #expect(try promoctl.run("metrics").output.contains(#"code="signature"} 1"#))
        #expect(try daemon.ask(#"{"method":"clear"}"#).result["cleared"] as? Bool == true)
        #expect(try daemon.ask(#"{"method":"refresh"}"#).failure == "signature", "clear is no way around it")
    }

    // MARK: Most apps are gone

    private func five() throws -> (DaemonUnderTest, NginxOrigin, PromoctlUnderTest) {
        let (scratch, origin) = (try ScratchDirectory(), try NginxOrigin())
        try configure(origin, "retry.base = \"1h\"", in: scratch)
        let daemon = try DaemonUnderTest(in: scratch)
        let promoctl = PromoctlUnderTest(daemon)
        #expect(try promoctl.run("wait").code == 0)
        try origin.publish(try catalog(["finebill", "fresh"], in: scratch))
        return (daemon, origin, promoctl)
    }

    @Test func aCatalogThatLostMostAppsIsHeldBackUntilAPersonAcceptsIt() throws {
        let (daemon, origin, promoctl) = try five()
        let refresh = try promoctl.run("refresh")
        #expect(refresh.code == 75 && refresh.error.contains("Held back."), "\(refresh.error)")
        #expect(try daemon.ask(#"{"method":"list"}"#).apps.count == 5)
        let heldBack = try daemon.ask(#"{"method":"status"}"#).object("refresh")["heldBack"] as? [String: Any]
        #expect(heldBack?["apps"] as? Int == 2 && heldBack?["lost"] as? Int == 4)
        let status = try promoctl.run("status")
        #expect(status.output.contains("Held back  a catalog of 2 apps, which lacks 4 of those that are served"))
        #expect(status.output.contains("a second look at the catalog that is held back"))
        #expect(try promoctl.run("explain").output.contains("promoctl refresh --accept"))
        #expect(try promoctl.run("doctor").output.contains("promoctl refresh --accept"))
        let setup = try promoctl.run("setup", origin.url)
        #expect(setup.code == 0 && setup.error.contains("so it is held back"), "\(setup.error)")
        #expect(try daemon.ask(#"{"method":"list"}"#).apps.count == 5, "setup is no way around it")
        #expect(daemon.stop() == .exited(0))
        let later = try DaemonUnderTest(in: daemon.scratch)
        #expect(
            try later.ask(#"{"method":"status"}"#).object("refresh")["heldBack"] is [String: Any], "a restart keeps it")
        #expect(try PromoctlUnderTest(later).run("refresh", "--accept").code == 0)
        #expect(try later.ask(#"{"method":"list"}"#).apps == ["finebill", "fresh"])
        #expect(try later.ask(#"{"method":"status"}"#).object("refresh")["heldBack"] is NSNull)
    }

    @Test func whereNothingIsServedNothingIsHeldBack() throws {
        let (daemon, origin, promoctl) = try five()
        #expect(try promoctl.run("refresh").code == 75)
        #expect(daemon.stop() == .exited(0))
        try FileManager.default.removeItem(atPath: daemon.scratch("cache/promod/catalog"))
        let later = try DaemonUnderTest(in: daemon.scratch)
        #expect(try PromoctlUnderTest(later).run("wait", "--timeout", "10s").code == 0)
        #expect(try later.ask(#"{"method":"list"}"#).apps == ["finebill", "fresh"])
        #expect(origin.log.count == 3)
    }
}
