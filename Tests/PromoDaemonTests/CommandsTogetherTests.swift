import Dispatch
import Glibc
import PromoCore
import PromoTestSupport
import PromoWire
import Testing

@testable import PromoDaemon

/// Commands that come together wait for the disk once, or a client with a thousand connections would delay all others.
struct CommandsTogetherTests {
    private func launches(_ count: Int) -> [Command] {
        (0..<count).map { .launch(app: "app-\($0)") }
    }

    @Test func aHundredLaunchesAreWrittenOnce() throws {
        let stage = try Stage()
        let replies = stage.askTogether(launches(100))
        #expect(replies.allSatisfy { $0.result(as: LaunchResult.self)?.isRecorded == true })
        #expect(stage.stateWrites == 1)
        #expect(stage.launchedApps.count == 100)
    }

    @Test func whileACatalogIsReadOtherCommandsAreAnswered() throws {
        let stage = try Stage()
        let isRead = DispatchSemaphore(value: 0)
        stage.plane.shared.intakes.perform { isRead.wait() }
        stage.origin.answer(.body(SampleCatalog.bytes, Validators()))
        #expect(stage.ask(launches(1)[0]).result(as: LaunchResult.self)?.isRecorded == true)
        #expect(stage.snapshot.catalog.served == nil)
        isRead.signal()
        stage.settle()
        #expect(stage.snapshot.catalog.served != nil)
    }

    @Test func whatIsOnDiskAlreadyIsAnsweredWithoutAWrite() throws {
        let stage = try Stage()
        _ = stage.ask(.launch(app: "app-0")).value
        let before = stage.stateWrites
        let replies = stage.askTogether(launches(1) + [.reviewEligible(ReviewParameters(app: "app-0", completed: 3))])
        #expect(replies[0].result(as: LaunchResult.self)?.isRecorded == false)
        #expect(replies[1].result(as: ReviewResult.self)?.reasons == [.tooSoonAfterFirstLaunch])
        #expect(stage.stateWrites == before)
    }

    @Test func ofAHundredRequestsThatComeTogetherExactlyOneIsGranted() throws {
        let stage = try Stage()
        _ = stage.ask(.launch(app: "a")).value
        stage.advance(.seconds(8 * 86_400))
        let before = stage.stateWrites
        let request = Command.reviewRequest(ReviewParameters(app: "a", completed: 3))
        let reasons = stage.askTogether(Array(repeating: request, count: 100))
            .map { $0.result(as: ReviewResult.self)?.reasons }
        #expect(reasons.first == [])
        #expect(reasons.dropFirst().allSatisfy { $0 == [.tooSoonAfterLastRequest] })
        #expect(stage.stateWrites == before + 1)
    }

    @Test func ifTheDiskRefusesAllThatDependOnItAreRefusedAndNoOther() throws {
        let stage = try Stage()
        _ = stage.ask(.launch(app: "app-0")).value
        mkdir(stage.scratch("state/.reviews.json.new"), 0o700)
        let replies = stage.askTogether(launches(3))
        #expect(replies[0].result(as: LaunchResult.self)?.isRecorded == false)
        for reply in replies.dropFirst() {
            guard case .refused(let error) = reply.value else {
                Issue.record("it was not refused")
                continue
            }
            #expect(error.reason == .notStored)
        }
        #expect(stage.launchedApps == ["app-0"])
    }

    /// The reset tells that there was a launch, though afterwards everything is as it was.
    @Test func whatTellsOfAChangeThatIsRefusedIsRefusedToo() throws {
        let stage = try Stage()
        mkdir(stage.scratch("state/.reviews.json.new"), 0o700)
        let commands: [Command] = [.launch(app: "app-1"), .reviewReset(app: "app-1"), .launch(app: "app-2")]
        for reply in stage.askTogether(commands) {
            guard case .refused(let error) = reply.value else {
                Issue.record("it was not refused")
                continue
            }
            #expect(error.reason == .notStored)
        }
    }

    @Test func aHundredReloadsReadTheConfigurationOnce() throws {
        let stage = try Stage()
        let before = stage.loads
        let replies = stage.askTogether(Array(repeating: .reload, count: 100))
        #expect(replies.allSatisfy { $0.result(as: ReloadResult.self) != nil })
        #expect(stage.loads == before + 1)
    }

    @Test func aPlaneThatStopsStoresAndAnswersWhatWaits() throws {
        let stage = try Stage()
        let (launch, reload) = (PendingReply(), PendingReply())
        stage.onPlane { plane in
            plane.carryOut(.launch(app: "a")) { launch.arrive($0) }
            plane.carryOut(.reload) { reload.arrive($0) }
            plane.stop()
        }
        #expect(launch.result(as: LaunchResult.self)?.isRecorded == true)
        #expect(stage.stateWrites == 1)
        guard case .refused(let error) = reload.value else {
            Issue.record("it was not refused")
            return
        }
        #expect(error.reason == .busy)
    }

    // MARK: Launches without end

    /// A stage in which the history may not be written again until the clock moves, and an app that may be granted a review.
    private func busyStage() throws -> Stage {
        let stage = try Stage()
        _ = stage.ask(.launch(app: "a")).value
        stage.advance(.seconds(8 * 86_400))
        for launch in launches(20) { _ = stage.ask(launch).value }
        return stage
    }

    @Test func launchesWithoutEndAreWrittenTogetherFourTimesASecond() throws {
        let stage = try busyStage()
        let before = stage.stateWrites
        let waiting = (0..<9).map { stage.ask(.launch(app: "late-\($0)")) }
        // What needs no write is answered meanwhile.
        #expect(stage.ask(.launch(app: "a")).result(as: LaunchResult.self)?.isRecorded == false)
        #expect(stage.ask(.reload).result(as: ReloadResult.self) != nil)
        #expect(stage.stateWrites == before)
        stage.advance(.milliseconds(250))
        #expect(waiting.allSatisfy { $0.result(as: LaunchResult.self)?.isRecorded == true })
        #expect(stage.stateWrites == before + 1)
    }

    @Test func aGrantIsWrittenAtOnceWithAllThatWaits() throws {
        let stage = try busyStage()
        let before = stage.stateWrites
        let launch = stage.ask(.launch(app: "late"))
        let request = stage.ask(.reviewRequest(ReviewParameters(app: "a", completed: 3)))
        #expect(request.result(as: ReviewResult.self)?.reasons == [])
        #expect(launch.result(as: LaunchResult.self)?.isRecorded == true)
        #expect(stage.stateWrites == before + 1)
    }

    @Test func aPlaneThatStopsDoesNotWaitToWrite() throws {
        let stage = try busyStage()
        let launch = stage.ask(.launch(app: "late"))
        stage.onPlane { $0.stop() }
        #expect(launch.result(as: LaunchResult.self)?.isRecorded == true)
    }

    @Test func aHistoryThatIsReplacedIsPublishedAndWrittenWithTheNextCommand() throws {
        let stage = try Stage()
        _ = stage.ask(.launch(app: "a")).value
        var history = ReviewHistory()
        history.recordLaunch(of: "restored", at: stage.now)
        try PrivateDirectory(path: stage.scratch("state")).replace(ReviewFile.name, with: [history.fileBytes])
        let asked = stage.ask(.reviewEligible(ReviewParameters(app: "restored", completed: 3)))
        #expect(asked.result(as: ReviewResult.self)?.reasons == [.tooSoonAfterFirstLaunch])
        stage.settle()
        #expect(stage.launchedApps.sorted() == ["a", "restored"])
        #expect(
            try ReviewHistory(fileBytes: Array(stage.scratch.read("state/reviews.json").utf8)) == stage.snapshot.reviews
        )
    }
}
