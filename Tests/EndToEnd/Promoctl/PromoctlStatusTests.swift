import Foundation
import PromoTestSupport
import Testing

/// `promoctl status`, besides its situations.
struct PromoctlStatusTests {
    @Test func aSocketOfItsOwnIsNamedAndSoIsTheLackOfANetwork() throws {
        let scratch = try ScratchDirectory()
        let daemon = try DaemonUnderTest(in: scratch, environment: ["PROMOD_SOCKET": scratch("own.sock")])
        let status = try PromoctlUnderTest(daemon, environment: ["PROMOD_SOCKET": scratch("own.sock")]).run("status")
        #expect(status.lines.contains("Socket: \(scratch("own.sock"))"), "\(status)")
    }

    @Test func aCatalogIsFoundByEachOfItsNamesAndByItsAddress() throws {
        let (scratch, origin) = (try ScratchDirectory(), try NginxOrigin())
        for name in ["acme", "zed"] {
            try scratch.write("data/promod/catalogs.d/\(name).toml", origin.dropIn)
        }
        let promoctl = PromoctlUnderTest(try DaemonUnderTest(in: scratch, catalog: nil))
        for reference in ["acme", "zed", origin.url] {
            let status = try promoctl.run("status", "--catalog", reference)
            #expect(status.code == 0)
            #expect(status.output.contains("\nacme, zed: \(origin.url)\n"), "\(status)")
            #expect(try promoctl.run("wait", "--catalog", reference).code == 0)
            #expect(try promoctl.run("check", "--catalog", reference).code == 0)
        }
        #expect(try promoctl.run("status", "--catalog", "none").code == 65)
    }

    @Test func aTimeIsThatOfWhatItIsAbout() throws {
        let scratch = try ScratchDirectory()
        try ReviewHistoryFile(scratch: scratch).write(apps: ["bookary"], launched: "2024-03-05T12:00:00Z")
        let launch = try PromoctlUnderTest(try DaemonUnderTest(in: scratch)).run("launch", "bookary")
        #expect(launch.output.contains(/: 0[56] Mar 2024 .*, [0-9]+ days ago\./), "\(launch)")
    }

    @Test(arguments: [20, 40, 80]) func onATerminalTheReportFits(columns: Int) throws {
        let (scratch, nobody) = (try ScratchDirectory(), try LoopbackPort())
        let name = String(repeating: "long-", count: 12) + "name"
        try scratch.write("data/promod/catalogs.d/\(name).toml", "url = \"https://localhost:\(nobody.number)/\"\n")
        let daemon = try DaemonUnderTest(in: scratch)
        try #require(try comes { try daemon.catalog(name)["lastError"] as? String == "connect" })
        let drawn = try PromoctlUnderTest(daemon).draw(columns: columns, "status")
        for (line, width) in zip(drawn.lines, try ReferenceWidth.columns(drawn.lines)) {
            // A word that is longer than the line has its own.
            #expect(width <= columns || !line.trimmingCharacters(in: .whitespaces).contains(" "), "\(line)")
        }
        #expect(drawn.screen.others == [])
        for part in ["\u{1B}[36mNAME ", "\u{1B}[33m\(name):"] { #expect(drawn.text.contains(part)) }
    }

    @Test func aPartOfAnAddressThatNobodyShouldSeeIsNotShown() throws {
        let origin = try NginxOrigin()
        let daemon = try DaemonUnderTest(settings: [
            "catalog-url": "https://me:secret@localhost:\(origin.port)/catalog.json?token=hidden"
        ])
        let promoctl = PromoctlUnderTest(daemon)
        let refresh = try promoctl.draw(columns: 80, "refresh")
        for text in [refresh.text, try promoctl.run("status").output, try promoctl.run("status", "--json").output] {
            #expect(text.contains("localhost:\(origin.port)"), "\(text)")
            for part in ["secret", "hidden"] { #expect(!text.contains(part)) }
        }
    }
}
