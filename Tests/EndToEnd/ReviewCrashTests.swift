import Foundation
import PromoTestSupport
import Synchronization
import Testing

/// A daemon that is killed loses nothing that it has answered.
struct ReviewCrashTests {
    @Test func aGrantAndAFirstLaunchAreOnDiskBeforeTheyAreAnswered() throws {
        let scratch = try ScratchDirectory()
        let apps = (0..<20).map { "app-\($0)" }
        try ReviewHistoryFile(scratch: scratch).write(apps: apps, launchedDaysAgo: 7)
        var launches: [String: String] = [:]
        for (number, app) in apps.enumerated() {
            let daemon = try DaemonUnderTest(in: scratch)
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

    /// The replies to all clients, and how many more to wait for before the daemon is killed.
    private struct Ledger {
        var grants: [String] = []
        var launches: [String: String] = [:]
        var left = 0
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func atWhateverMomentItIsKilledNothingThatItAnsweredIsLostOrGrantedTwice(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scratch = try ScratchDirectory()
        let apps = (0..<300).map { "app-\($0)" }
        try ReviewHistoryFile(scratch: scratch).write(apps: apps, launchedDaysAgo: 7)
        let ledger = Mutex(Ledger())
        for round in 0..<5 {
            let daemon = try DaemonUnderTest(in: scratch)
            try expectKept(ledger.withLock { $0 }, by: daemon)
            ledger.withLock { $0.left = .random(in: 1...120, using: &generator) }
            let group = DispatchGroup()
            for number in 0..<8 {
                let client = try daemon.connect()
                group.enter()
                // All clients request reviews of the same apps, and launch an app of their own after each.
                let thread = Thread {
                    defer { group.leave() }
                    for app in apps[(round * 60)...] {
                        for line in [
                            DaemonUnderTest.requestLine(app),
                            DaemonUnderTest.launchLine("\(app)-\(round)-\(number)"),
                        ] {
                            client.send(line + "\n")
                            guard let text = client.readLines(1).first, let reply = try? Reply(text) else { return }
                            if Self.enter(reply, in: ledger) { daemon.process.signal(SIGKILL) }
                        }
                    }
                }
                thread.start()
            }
            group.wait()
            #expect(daemon.process.wait() == .signalled(SIGKILL))
        }
        let kept = ledger.withLock { $0 }
        #expect(Set(kept.grants).count == kept.grants.count)
        #expect(!kept.grants.isEmpty && !kept.launches.isEmpty)
        try expectKept(kept, by: DaemonUnderTest(in: scratch))
    }

    /// Records a reply; true if the daemon is to be killed after it.
    private static func enter(_ reply: Reply, in ledger: borrowing Mutex<Ledger>) -> Bool {
        let app = reply.result["app"] as? String ?? ""
        let (isGranted, firstLaunch) = (reply.isGranted == true, reply.firstLaunch)
        return ledger.withLock { ledger in
            if isGranted { ledger.grants.append(app) }
            if let firstLaunch { ledger.launches[app] = firstLaunch }
            ledger.left -= 1
            return ledger.left == 0
        }
    }

    private func expectKept(_ ledger: Ledger, by daemon: DaemonUnderTest) throws {
        let requests = try daemon.askAll(ledger.grants.map { DaemonUnderTest.requestLine($0) })
        #expect(requests.count == ledger.grants.count)
        #expect(requests.allSatisfy { $0.reasons == ["too-soon-after-last-request"] })
        let launches = try daemon.askAll(ledger.launches.keys.map { DaemonUnderTest.launchLine($0) })
        #expect(launches.count == ledger.launches.count)
        for reply in launches {
            #expect(reply.isRecorded == false)
            #expect(reply.firstLaunch == ledger.launches[reply.result["app"] as? String ?? ""])
        }
    }
}
