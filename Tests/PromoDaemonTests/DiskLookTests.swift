import Foundation
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// What status says of promod's directories and files.
struct DiskLookTests {
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
    }

    private var look: DiskLook {
        let environment = [
            "XDG_CACHE_HOME": scratch("cache"), "XDG_STATE_HOME": scratch("state"),
            "XDG_CONFIG_HOME": scratch("config"),
            "XDG_DATA_HOME": scratch("data"), "XDG_CONFIG_DIRS": scratch("none"), "XDG_DATA_DIRS": scratch("none"),
        ]
        return DiskLook(Directories(environment: environment, home: scratch.path), files: [scratch("config.toml")])
    }

    @Test(arguments: [
        (
            "/nowhere/at/all",
            "leads to /nowhere/at/all, which does not exist for promod: its service has a /tmp of its own."
        ), ("promod", "cannot be written: Too many levels of symbolic links."),
        ("../file", "cannot be written: Not a directory."),
    ])
    func aLinkThatLeadsToNoDirectoryIsAProblem(target: String, reason: String) throws {
        for name in ["file", "state/other"] { try scratch.write(name, "") }
        try scratch.link("state/promod", to: target)
        let found = look.findings(since: nil, room: 1).problems
        #expect(found.map(\.code.known) == [.directory])
        #expect(found.first?.text == "\(scratch("state/promod")) \(reason)")
    }

    @Test func aDiskWithLessRoomThanTheNextWriteNeedsIsAProblem() {
        let found = look.findings(since: nil, room: .max).problems
        #expect(found.map(\.code.known) == [.diskFull])
    }

    @Test func aFileThatIsNewerThanWhatIsInForceIsAProblem() throws {
        let before = look.versions
        try scratch.write("config.toml", "")
        let new = look.versions
        #expect(
            look.findings(since: before, room: 1).problems.first?.text.hasSuffix(
                "appeared after promod read its configuration.") == true
        )
        #expect(look.findings(since: new, room: 1).problems == [])
        try FileManager.default.removeItem(atPath: scratch("config.toml"))
        #expect(look.findings(since: new, room: 1).problems.map(\.code.known) == [.changedFiles])
    }

    @Test func anotherDirectoryInThePlaceOfPromodsOwnIsFoundAndOneThatPromodMakesIsNot() throws {
        let cache = scratch("cache/promod")
        func look(after places: [String: [UInt64]]) -> DiskLook.Findings {
            self.look.findings(since: nil, places, room: 1)
        }
        let missing = look(after: [:])
        #expect(missing.places[cache] == nil)
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
        let made = look(after: missing.places)
        #expect(made.replaced == nil)
        #expect(made.places[cache] != nil)
        try FileManager.default.moveItem(atPath: cache, toPath: scratch("moved"))
        #expect(look(after: made.places).replaced == nil)
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
        #expect(look(after: made.places).replaced == cache)
        #expect(look(after: missing.places).replaced == nil)
    }
}
