import Foundation
import PromoCore
import PromoTestSupport
import Testing

/// Two promods with one home, as on two machines.
struct SharedHomeTests {
    @Test func bothServeAndEachFetches() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let first = try DaemonUnderTest(in: scratch, settings: origin.settings)
        #expect(try first.ask(#"{"method":"list","wait":true}"#).apps.count == 5)
        try origin.publish(SampleFile.renamed)
        let other = scratch("other.sock")
        let second = try DaemonUnderTest(
            in: scratch, environment: ["PROMOD_SOCKET": other], settings: origin.settings)
        #expect(try second.ask(#"{"method":"list"}"#, at: other).apps.count == 5)
        for (daemon, socket) in [(second, other), (first, first.socketPath)] {
            let isFetched = try comes {
                _ = try daemon.ask(#"{"method":"refresh"}"#, at: socket)
                return try daemon.ask(#"{"method":"list"}"#, at: socket).description.contains("FineBill Pro")
            }
            #expect(isFetched)
        }
        #expect(origin.log.count == 3)
        #expect((second.stop(), first.stop()) == (.exited(0), .exited(0)))
        let third = try DaemonUnderTest(in: scratch, settings: origin.settings)
        #expect(try third.ask(#"{"method":"list"}"#).description.contains("FineBill Pro"))
        #expect(try third.problems().isEmpty)
        #expect(origin.log.count == 3)
    }

    /// As those of an app with a newer promod than the system's, or than another app's.
    @Test func theFilesOfANewerPromodStayAsTheyAre() throws {
        let origin = try NginxOrigin()
        let scratch = try ScratchDirectory()
        let (list, launch) = (#"{"method":"list","wait":true}"#, #"{"method":"launch","app":"bookary"}"#)
        let first = try DaemonUnderTest(in: scratch, settings: origin.settings)
        #expect(try first.ask(list).apps.count == 5)
        #expect(try first.ask(launch).reason == nil)
        #expect(first.stop() == .exited(0))
        let caches = "cache/promod/catalogs"
        let digest = try #require(try scratch.names(in: caches).first)
        let files = [
            ("\(caches)/\(digest)/catalog", CatalogContents.format),
            ("state/promod/reviews.json", ReviewHistory.format),
        ]
        for (file, format) in files {
            let text = scratch.read(file)
            #expect(text.hasPrefix("{\"format\":\(format),"))
            try scratch.write(file, text.replacing("\"format\":\(format),", with: "\"format\":\(format + 1),"))
        }
        let texts = files.map { scratch.read($0.0) }

        let older = try DaemonUnderTest(in: scratch, settings: origin.settings)
        #expect(try older.ask(list).apps.count == 5)
        #expect(try older.ask(launch).reason == "not-stored")
        #expect(try older.problems()["reviews"]?.contains("newer") == true)
        #expect(origin.log.count == 2)
        #expect(older.stop() == .exited(0))
        #expect(files.map { scratch.read($0.0) } == texts)
        for (file, _) in files { #expect(access(scratch(file + ".damaged"), F_OK) != 0) }
    }
}
