import Foundation
import PromoTestSupport
import Testing

/// A daemon that is killed loses nothing that it has answered.
struct ReviewCrashTests {
    @Test func aGrantAndAFirstLaunchAreOnDiskBeforeTheyAreAnswered() throws {
        let scratch = try ScratchDirectory()
        let apps = (0..<20).map { "app-\($0)" }
        try ReviewHistoryFile(scratch: scratch).write(apps: apps, launchedDaysAgo: 7)
        var launches: [String: String] = [:]
        for (number, app) in apps.enumerated() {
            let daemon = try DaemonUnderTest(in: scratch, catalog: DaemonUnderTest.unfetched)
            let earlier = try daemon.askAll(apps[..<number].map { DaemonUnderTest.requestLine($0) })
            #expect(earlier.allSatisfy { $0.reasons == ["too-soon-after-last-request"] })
            for (new, time) in launches {
                let again = try daemon.launch(new)
                #expect(again.isRecorded == false)
                #expect(again.firstLaunch == time)
            }
            let isLaunch = number % 2 == 0
            let client = try daemon.connect()
            if isLaunch {
                #expect(try daemon.requestReview(app).isGranted == true)
                client.send(DaemonUnderTest.launchLine("new-\(number)") + "\n")
            } else {
                client.send(DaemonUnderTest.requestLine(app) + "\n")
            }
            let line = try #require(client.readLines(1).first)
            daemon.crash()
            let reply = try Reply(line)
            #expect(isLaunch ? reply.isRecorded == true : reply.isGranted == true)
            if isLaunch { launches["new-\(number)"] = reply.firstLaunch }
        }
    }
}
