import Foundation
import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Synchronization
import Testing

struct ReviewStoreTests {
    private let scratch: ScratchDirectory
    private let directory: PrivateDirectory
    private let now = Timestamp(seconds: 1_795_222_800)
    private let log = CollectedLog()
    private let uptime = PassingTime()

    /// A second passes between any two readings.
    private final class PassingTime: Sendable {
        private let seconds = Atomic<Milliseconds>(0)

        @Sendable func next() -> Milliseconds { seconds.add(1, ordering: .relaxed).newValue * 1000 }
    }

    init() throws {
        scratch = try ScratchDirectory()
        directory = PrivateDirectory(path: scratch("state/promod"))
    }

    private var file: String { scratch.read("state/promod/reviews.json") }
    private var damaged: String { scratch.read("state/promod/reviews.json.damaged") }
    /// The names in the directory, without the lock.
    private var names: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return all.filter { !$0.hasSuffix("lock") }.sorted()
    }

    /// A store in the state of a daemon's start.
    private func store() -> StoreUnderTest {
        StoreUnderTest(ReviewStore(directory: directory, logger: log.logger, uptime: uptime.next), now: now)
    }

    /// The store of a daemon that starts after another has ended. It waits, because a program that another test starts keeps the lock
    /// between its fork and its exec.
    private func storeAfterRestart() -> StoreUnderTest {
        let next = store()
        while let message = next.problem?.message, message.contains("in use by") {}
        return next
    }

    private func write(_ text: String, as name: String = "reviews.json") throws {
        try scratch.write("state/promod/\(name)", text)
    }

    private func writeHistory(of apps: [String], launched: Duration = .seconds(1000 * 86_400)) throws {
        var history = ReviewHistory()
        for app in apps { history.recordLaunch(of: app, at: now - launched) }
        try write(String(decoding: history.fileBytes, as: UTF8.self))
    }

    /// Expects that every request is refused, and returns the error.
    private func refusal(
        of store: StoreUnderTest, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> RequestError {
        let errors = [
            #expect(throws: RequestError.self, sourceLocation: sourceLocation) { try store.prepare() },
            #expect(throws: RequestError.self, sourceLocation: sourceLocation) {
                try store.launch("fittoday", at: now)
            },
            #expect(throws: RequestError.self, sourceLocation: sourceLocation) {
                try store.request("fittoday")
            },
        ]
        #expect(store.history == nil, sourceLocation: sourceLocation)
        let error = try #require(errors.compactMap(\.self).first, sourceLocation: sourceLocation)
        #expect(errors.allSatisfy { $0?.reason == .notStored }, sourceLocation: sourceLocation)
        return error
    }

    // MARK: On disk

    @Test func aFirstLaunchIsOnDiskWhenItIsAnswered() throws {
        let store = store()
        let first = try store.launch("fittoday", at: now + .milliseconds(999))
        #expect(first == LaunchResult(app: "fittoday", firstLaunch: now, isRecorded: true))
        #expect(file.contains(#""fittoday":{"firstLaunch":"2026-11-21T01:00:00Z","requests":[]}"#))
    }

    @Test func aLaterLaunchAnswersTheSameTimeAndWritesNothing() throws {
        let store = store()
        _ = try store.launch("fittoday", at: now)
        let before = FileIdentity(of: directory.path(of: "reviews.json"))
        let later = try store.launch("fittoday", at: now + .seconds(86_400))
        #expect(later == LaunchResult(app: "fittoday", firstLaunch: now, isRecorded: false))
        #expect(FileIdentity(of: directory.path(of: "reviews.json")) == before)
    }

    @Test func aGrantIsOnDiskWhenItIsAnsweredAndSaysWhenTheNextIsPossible() throws {
        try writeHistory(of: ["fittoday"])
        let store = store()
        let grant = try store.request("fittoday")
        #expect(grant.reasons == [])
        #expect(grant.eligibleAt == now + .seconds(30 * 86_400))
        #expect(file.contains(#""requests":["2026-11-21T01:00:00Z"]"#))
    }

    @Test func aCheckWritesAgainWhatCouldNotBeWritten() throws {
        let store = store()
        _ = try store.launch("fittoday", at: now)
        // A directory in the place of the temporary file.
        let obstacle = directory.path(of: ".reviews.json.new")
        mkdir(obstacle, 0o700)
        #expect(throws: RequestError.self) { try store.launch("bookary", at: now) }
        #expect(store.check()?.contains("was not written") == true)
        rmdir(obstacle)
        #expect(store.check() == nil)
        #expect(file.contains("fittoday") && !file.contains("bookary"))
    }

    @Test func aGrantThatTheDiskDoesNotConfirmIsGrantedOnceAndLoggedAsUnsafe() throws {
        try writeHistory(of: ["fittoday"])
        let unsure = PrivateDirectory(path: directory.path) { _ in
            errno = EIO
            return -1
        }
        do {
            let store = StoreUnderTest(
                ReviewStore(directory: unsure, logger: log.logger, uptime: uptime.next), now: now)
            #expect(try store.request("fittoday").reasons == [])
            #expect(log.messages.contains { $0.contains("a power cut may undo that") })
            #expect(try store.request("fittoday").reasons == [.tooSoonAfterLastRequest])
            #expect(try store.launch("bookary", at: now).isRecorded)
        }
        let next = storeAfterRestart()
        #expect(try next.request("fittoday").reasons == [.tooSoonAfterLastRequest])
        #expect(try next.launch("bookary", at: now).isRecorded == false)
    }

    @Test func aLaunchCorrectsWhatAClockThatRanAheadHasWritten() throws {
        var history = ReviewHistory()
        let ahead = now + .seconds(80 * 365 * 86_400)
        history.recordLaunch(of: "fittoday", at: ahead)
        history.recordRequest(of: "fittoday", at: ahead)
        try write(String(decoding: history.fileBytes, as: UTF8.self))
        let store = store()
        #expect(try store.request("fittoday").eligibleAt == now + .seconds(30 * 86_400))
        let launch = try store.launch("fittoday", at: now)
        #expect(launch == LaunchResult(app: "fittoday", firstLaunch: now, isRecorded: false))
        #expect(
            file.contains(#""fittoday":{"firstLaunch":"2026-11-21T01:00:00Z","requests":["2026-11-21T01:00:00Z"]}"#))
        #expect(try store.request("fittoday", at: now + .seconds(30 * 86_400)).reasons == [])
    }

    @Test func requestsWithoutALimitDoNotFillTheDisk() throws {
        try writeHistory(of: ["fittoday"])
        var policy = ReviewPolicy()
        (policy.maximumPerYear, policy.minimumDaysSinceLastRequest) = (0, 0)
        let store = store()
        for second in 0..<400 {
            #expect(try store.request("fittoday", policy: policy, at: now + .seconds(second)).reasons == [])
        }
        #expect(store.history?["fittoday"]?.requests.count == 366)
        #expect(store.history?["fittoday"]?.requests.last == now + .seconds(399))
    }

    @Test func aRefusalWritesNothing() throws {
        try writeHistory(of: ["fittoday"], launched: .seconds(1))
        let before = file
        let store = store()
        let refused = try store.request("fittoday")
        #expect(refused.reasons == [.tooSoonAfterFirstLaunch])
        #expect(refused.eligibleAt == now + .seconds(7 * 86_400 - 1))
        #expect(try store.request("ghost").reasons == [.neverLaunched])
        #expect(file == before)
    }

    @Test func theThirdGrantOfAYearSaysThatTheNextComesAYearAfterTheFirst() throws {
        try writeHistory(of: ["fittoday"])
        let store = store()
        let month = Duration.seconds(30 * 86_400)
        #expect(try store.request("fittoday").eligibleAt == now + month)
        #expect(try store.request("fittoday", at: now + month).eligibleAt == now + month + month)
        let third = try store.request("fittoday", at: now + month + month)
        #expect(third.eligibleAt == now + .seconds(365 * 86_400))
        let fourth = try store.request("fittoday", at: now + month + month + month)
        #expect(fourth.reasons == [.yearlyLimit])
        #expect(fourth.eligibleAt == third.eligibleAt)
        let before = try store.request("fittoday", at: now + .seconds(365 * 86_400) - .milliseconds(1))
        #expect(before.reasons == [.yearlyLimit])
        #expect(try store.request("fittoday", at: now + .seconds(365 * 86_400)).reasons == [])
    }

    @Test func withNothingToWaitForAGrantSaysThatTheNextIsPossibleNow() throws {
        try writeHistory(of: ["fittoday"])
        let store = store()
        var policy = ReviewPolicy()
        policy.minimumDaysSinceLastRequest = 0
        #expect(try store.request("fittoday", policy: policy).eligibleAt == now)
        #expect(try store.request("fittoday", policy: policy).eligibleAt == now)
        #expect(
            try store.request("fittoday", policy: policy).eligibleAt == now + .seconds(365 * 86_400))
    }

    @Test func theFileAndItsDirectoryAreTheUsersAlone() throws {
        let store = store()
        _ = try store.launch("fittoday", at: now)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).map(directory.path(of:))
        #expect(files.count == 2)
        for (path, mode) in [(directory.path, 0o700), (scratch("state"), 0o700)] + files.map({ ($0, 0o600) }) {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? Int ?? 0) & 0o777 == mode)
        }
    }

    @Test func theNextDaemonKnowsWhatTheLastOneWrote() throws {
        try writeHistory(of: ["bookary"])
        var first: StoreUnderTest? = store()
        _ = try first?.launch("fittoday", at: now)
        _ = try first?.request("bookary")
        let history = first?.history
        first = nil
        let second = storeAfterRestart()
        #expect(second.history?["fittoday"] == history?["fittoday"])
        #expect(try second.launch("fittoday", at: now + .seconds(9)).isRecorded == false)
        #expect(try second.request("bookary").reasons == [.tooSoonAfterLastRequest])
    }

    // MARK: Limits

    private func store(isNamed: @escaping (ReviewHistory.Subject) -> Bool?) -> StoreUnderTest {
        StoreUnderTest(
            ReviewStore(directory: directory, logger: log.logger, uptime: uptime.next), isNamed: isNamed, now: now)
    }

    @Test func inventedAppsPushOutTheOldestOfTheirKindAndNoOther() throws {
        try writeHistory(of: (0..<2_000).map { "named-\($0)" } + ["granted"])
        let store = store { $0.app.hasPrefix("named") }
        _ = try store.request("granted")
        try store.withStore { (store) throws(RequestError) in
            for number in 0..<1_500 {
                _ = try store.launch("invented-\(number)", now: now + .seconds(number))
            }
            _ = try store.launch("named-new", now: now)
            try store.store()
        }
        let apps = Set(store.history?.subjects.map(\.app) ?? [])
        #expect(apps.count == 2_001 + ReviewHistory.maximumUnnamed)
        #expect(
            apps.isSuperset(of: ["named-0", "named-1999", "named-new", "granted", "invented-1499", "invented-501"]))
        #expect(!apps.contains("invented-500"))
    }

    @Test func whatACatalogThatServesNothingHasRecordedIsNotPushedOut() throws {
        try writeHistory(of: (0..<1_500).map { "known-\($0)" })
        let store = store { $0.app.hasPrefix("known") ? nil : false }
        _ = try store.launch("invented", at: now)
        #expect(store.history?.subjects.count == 1_501)
    }

    @Test func appsThatAreLaunchedWhileTheirCatalogsServeNothingShareTheRoomOfThoseThatNoCatalogNames() throws {
        try writeHistory(of: (0..<1_500).map { "known-\($0)" })
        let isThere = Mutex(true)
        let store = store { subject in isThere.withLock { $0 } ? subject.app.hasPrefix("known") : nil }
        try store.withStore { (store) throws(RequestError) in
            _ = try store.launch("invented", now: now)
            isThere.withLock { $0 = false }
            store.namesChanged()
            for catalog in ["default", "acme", "other"] {
                for number in 0..<600 {
                    _ = try store.launch("invented-\(number)", in: catalog, now: now + .seconds(number))
                }
            }
            #expect(try store.launch("known-new", now: now + .seconds(700)).isRecorded)
            try store.store()
        }
        let apps = store.history?.subjects ?? []
        #expect(apps.count == 1_500 + ReviewHistory.maximumUnnamed)
        #expect(apps.filter { $0.app.hasPrefix("known") }.count == 1_501)
    }

    @Test func aHistoryWithTooManyInventedAppsShrinksAtTheNext() throws {
        try writeHistory(of: (0..<5_000).map { "invented-\($0)" } + ["named"])
        let store = store { $0.app == "named" }
        _ = try store.launch("invented", at: now)
        #expect(store.history?.subjects.count == ReviewHistory.maximumUnnamed + 1)
        #expect(store.history?["named"] != nil && store.history?["invented"] != nil)
    }

    @Test func inventedAppsLeaveHalfOfTheFileToOthers() throws {
        let id = String(repeating: "x", count: 65_000)
        try writeHistory(of: (0..<130).map { "\(id)-\($0)" })
        let store = store { $0.app == "named" }
        let error = try #require(throws: RequestError.self) { try store.launch("invented", at: now) }
        #expect(error.reason == .notStored)
        #expect(error.message.contains(directory.path(of: "reviews.json")))
        #expect(try store.launch("named", at: now).isRecorded)
        #expect(try store.request("\(id)-1").reasons == [])
    }

    /// Ids may be as long as a line, and after a restart no request could be answered from a file that is too long to be read.
    @Test func aHistoryThatWouldBeTooLongToReadAgainIsNotWritten() throws {
        let id = String(repeating: "x", count: 65_000)
        try writeHistory(of: (100..<357).map { "\(id)-\($0)" })
        var first: StoreUnderTest? = store()
        let answered = (0..<3).filter { (try? first?.launch("\(id)-\($0)", at: now)) != nil }
        first = nil
        let second = storeAfterRestart()
        #expect(throws: Never.self) { try second.prepare() }
        #expect(second.history?["\(id)-100"] != nil)
        for number in answered { #expect(second.history?["\(id)-\(number)"] != nil) }
    }

    @Test func aChangeForWhichThereIsNoRoomIsRefusedAloneAndAResetMakesRoom() throws {
        let ids = (0..<257).map { "\(String(repeating: "x", count: 65_000))-\($0)" }
        try writeHistory(of: ids)
        let store = store()
        _ = try store.withStore { (store) throws(RequestError) in try store.launch("fittoday", now: now) }
        #expect(throws: RequestError.self) { try store.launch("\(ids[0])-another", at: now) }
        #expect(try store.launch("bookary", at: now).isRecorded)
        #expect(store.history?["fittoday"] != nil)
        _ = try store.withStore { (store) throws(RequestError) in try store.reset(ids[1]) }
        #expect(try store.launch("\(ids[0])-another", at: now).isRecorded)
    }

    // MARK: Several changes at once

    @Test func changesAreNotInTheHistoryUntilTheyAreOnDisk() throws {
        try writeHistory(of: ["bookary"])
        let store = store()
        try store.withStore { (store) throws(RequestError) in
            #expect(try store.launch("fittoday", now: now).isRecorded)
            #expect(try store.launch("fittoday", now: now).isRecorded == false)
            #expect(!store.isStored("fittoday") && store.isStored("bookary") && store.isStored("ghost"))
            #expect(store.history?["fittoday"] == nil && !file.contains("fittoday"))
            try store.store()
            #expect(store.isStored("fittoday") && store.history?["fittoday"] != nil && file.contains("fittoday"))
        }
    }

    @Test func changesThatCannotBeWrittenAreUndoneTogether() throws {
        try writeHistory(of: ["bookary", "known"])
        let store = store()
        try store.prepare()
        let history = store.history
        mkdir(directory.path(of: ".reviews.json.new"), 0o700)
        _ = try store.withStore { (store) throws(RequestError) in try store.launch("fittoday", now: now) }
        _ = try store.withStore { (store) throws(RequestError) in try store.reset("known") }
        #expect(throws: RequestError.self) { try store.request("bookary") }
        #expect(store.history == history)
        rmdir(directory.path(of: ".reviews.json.new"))
        #expect(try store.launch("fittoday", at: now).isRecorded)
        #expect(try store.request("bookary").reasons == [])
        #expect(store.history?["known"] != nil)
    }

    // MARK: A file that is replaced meanwhile

    /// Puts another history in the file's place, as a restored backup does.
    private func replaceHistory(_ change: (inout ReviewHistory) -> Void) throws {
        var history = ReviewHistory()
        change(&history)
        try directory.replace("reviews.json", with: [history.fileBytes])
    }

    @Test func aFileThatReplacesTheHistoryLosesNothingAndNeitherDoesTheHistory() throws {
        try writeHistory(of: ["fittoday"])
        let store = store()
        _ = try store.request("fittoday")
        _ = try store.launch("bookary", at: now)
        try replaceHistory { history in
            history.recordLaunch(of: "bookary", at: now - .seconds(9 * 86_400))
            history.recordRequest(of: "granted", at: now - .seconds(60))
        }
        _ = try store.launch("another", at: now)
        let written = try ReviewHistory(fileBytes: Array(file.utf8))
        #expect(written == store.history)
        #expect(written["fittoday"]?.requests == [now])
        #expect(written["bookary"]?.firstLaunch == now - .seconds(9 * 86_400))
        #expect(written["granted"]?.requests == [now - .seconds(60)])
        #expect(written["another"]?.firstLaunch == now)
    }

    @Test(arguments: [true, false])
    func aGrantOutlastsATimeInWhichTheFileCannotBeUsed(isSetAside: Bool) throws {
        try writeHistory(of: ["fittoday"])
        let older = file
        let store = store()
        _ = try store.request("fittoday")
        unlink(directory.path(of: "reviews.json"))
        if isSetAside {
            try directory.replace("reviews.json", with: [Array("{broken".utf8)])
        } else {
            mkdir(directory.path(of: "reviews.json"), 0o700)
        }
        #expect(throws: RequestError.self) { try store.request("fittoday") }
        unlink(directory.path(of: "reviews.json.damaged"))
        rmdir(directory.path(of: "reviews.json"))
        try directory.replace("reviews.json", with: [Array(older.utf8)])
        #expect(try store.request("fittoday").reasons == [.tooSoonAfterLastRequest])
        #expect(file.contains("\"requests\":[\""))
    }

    @Test func aFileThatIsTooLongBesideTheHistoryIsForgottenWhenItIsSmallAgain() throws {
        let id = String(repeating: "x", count: 65_000)
        try writeHistory(of: (0..<150).map { "\(id)-\($0)" })
        let store = store()
        _ = try store.launch("fittoday", at: now)
        let small = file
        try writeHistory(of: (150..<300).map { "\(id)-\($0)" })
        #expect(throws: RequestError.self) { try store.launch("bookary", at: now) }
        try directory.replace("reviews.json", with: [Array(small.utf8)])
        #expect(try store.launch("bookary", at: now).isRecorded)
        #expect(store.history?["fittoday"] != nil)
    }

    @Test func aLockWhoseFileIsGoneIsTakenAgainOrElseNothingIsGranted() throws {
        try writeHistory(of: ["fittoday"])
        let store = store()
        _ = try store.launch("bookary", at: now)
        unlink(directory.path(of: "reviews.lock"))
        _ = try store.launch("another", at: now)
        #expect(throws: LockFile.Refusal.self) { try LockFile.take(directory.path(of: "reviews.lock")) }
        unlink(directory.path(of: "reviews.lock"))
        let other = try LockFile.take(directory.path(of: "reviews.lock"))
        let error = try #require(throws: RequestError.self) { try store.request("fittoday") }
        #expect(error.message.contains("in use by"))
        withExtendedLifetime(other) {}
    }

    @Test func aGrantInAFileThatReplacesTheHistoryCounts() throws {
        try writeHistory(of: ["fittoday"])
        let store = store()
        try store.prepare()
        try replaceHistory { $0.recordRequest(of: "fittoday", at: now - .seconds(86_400)) }
        #expect(try store.request("fittoday").reasons == [.tooSoonAfterLastRequest])
    }

    @Test func aGrantIsRefusedIfTheFileThatCameMeanwhileHasOne() throws {
        try writeHistory(of: ["fittoday"])
        let store = store()
        try store.withStore { (store) throws(RequestError) in
            let parameters = ReviewParameters(app: "fittoday", completed: 3)
            let grant = try store.request(parameters, policy: ReviewPolicy(), now: now)
            #expect(grant.reasons == [])
            var history = ReviewHistory()
            history.recordRequest(of: "fittoday", at: now - .seconds(60))
            #expect(throws: Never.self) { try directory.replace("reviews.json", with: [history.fileBytes]) }
            #expect(throws: RequestError.self) { try store.store() }
        }
        #expect(try store.request("fittoday").reasons == [.tooSoonAfterLastRequest])
    }

    @Test func aResetThatIsNotWrittenYetOutlivesAFileThatComesMeanwhile() throws {
        try writeHistory(of: ["fittoday", "bookary"])
        let store = store()
        try store.withStore { (store) throws(RequestError) in
            _ = try store.reset("fittoday")
            _ = try store.reset("bookary")
            _ = try store.launch("bookary", now: now)
            var history = ReviewHistory()
            for app in ["fittoday", "bookary", "another"] { history.recordRequest(of: app, at: now) }
            #expect(throws: Never.self) { try directory.replace("reviews.json", with: [history.fileBytes]) }
            #expect(try store.record(of: "fittoday") == nil)
            try store.store()
        }
        let written = try ReviewHistory(fileBytes: Array(file.utf8))
        #expect(written["fittoday"] == nil && written["another"]?.requests == [now])
        #expect(written["bookary"] == ReviewRecord(firstLaunch: now))
    }

    @Test func aDamagedFileThatReplacesTheHistoryIsSetAsideAndTheHistoryIsNotWrittenOverIt() throws {
        try writeHistory(of: ["fittoday"])
        let store = store()
        try store.prepare()
        try write("{")
        _ = try refusal(of: store)
        #expect(names == ["reviews.json.damaged"])
        #expect(damaged == "{")
    }

    @Test func whatWaitsWhileADamagedFileComesIsRefused() throws {
        try writeHistory(of: ["fittoday"])
        let store = store()
        try store.withStore { (store) throws(RequestError) in
            _ = try store.launch("bookary", now: now)
            #expect(throws: Never.self) { try write("{") }
            #expect(throws: RequestError.self) { try store.store() }
        }
        #expect(file == "{")
        while file == "{" { #expect(store.problem != nil) }
        #expect(damaged == "{")
    }

    @Test func aHistoryThatIsRemovedIsWrittenAgain() throws {
        try writeHistory(of: ["fittoday"])
        let store = store()
        _ = try store.request("fittoday")
        try directory.remove("reviews.json")
        _ = try store.launch("bookary", at: now)
        #expect(try ReviewHistory(fileBytes: Array(file.utf8))["fittoday"]?.requests == [now])
    }

    // MARK: A history that cannot be read

    private static let broken = [
        "", "{", "null", #"{"format":2,"catalogs":{}}"#,
        #"{"format":3,"catalogs":{"default":{"fittoday":{"firstLaunch":"soon"}}}}"#,
    ]

    @Test(arguments: broken)
    func aDamagedFileIsSetAsideAndEveryRequestIsRefused(text: String) throws {
        try write(text)
        let store = store()
        let error = try refusal(of: store)
        #expect(names == ["reviews.json.damaged"])
        #expect(damaged == text)
        // The message says where the file is and what to do.
        for path in ["reviews.json", "reviews.json.damaged"] {
            #expect(error.message.contains(directory.path(of: path)))
        }
        #expect(error.message.contains("rename it"))
        #expect(error.message.contains("or remove it"))
    }

    @Test func aDamagedFileIsStillRefusedAfterARestart() throws {
        try write("{")
        let first = store()
        #expect(throws: RequestError.self) { try first.prepare() }
        for _ in 0..<3 {
            let next = store()
            let error = try refusal(of: next)
            #expect(error.message.contains(directory.path(of: "reviews.json.damaged")))
        }
        #expect(damaged == "{")
        #expect(names == ["reviews.json.damaged"])
    }

    @Test func whatWasSetAsideIsNeverOverwrittenByALaterDamage() throws {
        try write("the first", as: "reviews.json.damaged")
        try write("the second")
        let store = store()
        _ = try refusal(of: store)
        #expect(damaged == "the first")
        #expect(file == "the second")
    }

    @Test func aGoodFileBesideADamagedOneIsNotTouchedUntilTheDamagedOneIsGone() throws {
        try writeHistory(of: ["fittoday"])
        try write("{", as: "reviews.json.damaged")
        let before = file
        let store = store()
        _ = try refusal(of: store)
        #expect(file == before)
        try directory.remove("reviews.json.damaged")
        #expect(try store.request("fittoday").reasons == [])
    }

    @Test func aFixedFileIsReadWithoutARestart() throws {
        try write("{")
        let store = store()
        _ = try refusal(of: store)
        try writeHistory(of: ["fittoday"])
        try directory.remove("reviews.json.damaged")
        #expect(try store.request("fittoday").reasons == [])
    }

    @Test func aDamagedFileThatIsRenamedBackIsSetAsideAgain() throws {
        try write("{")
        let store = store()
        _ = try refusal(of: store)
        try directory.move("reviews.json.damaged", to: "reviews.json")
        _ = try refusal(of: store)
        #expect(damaged == "{")
    }

    @Test func afterTheDamagedFileIsRemovedTheHistoryIsEmpty() throws {
        try write("{")
        let store = store()
        _ = try refusal(of: store)
        try directory.remove("reviews.json.damaged")
        #expect(try store.launch("fittoday", at: now).isRecorded)
    }

    @Test func aDirectoryInTheFilesPlaceIsNotReplaced() throws {
        try write("precious", as: "reviews.json/precious")
        let store = store()
        #expect(try refusal(of: store).message.contains(directory.path(of: "reviews.json")))
        #expect(scratch.read("state/promod/reviews.json/precious") == "precious")
        try FileManager.default.removeItem(atPath: directory.path(of: "reviews.json"))
        #expect(try store.launch("fittoday", at: now).isRecorded)
    }

    @Test func aFIFOInTheFilesPlaceBlocksNothing() throws {
        try directory.create()
        mkfifo(directory.path(of: "reviews.json"), 0o600)
        let store = store()
        #expect(try refusal(of: store).message.contains(directory.path(of: "reviews.json")))
    }

    @Test func aFileOverTheLimitIsLeftWhereItIs() throws {
        try write("")
        #expect(truncate(directory.path(of: "reviews.json"), off_t(ReviewFile.maximumBytes + 1)) == 0)
        let store = store()
        #expect(try refusal(of: store).message.contains("too large"))
        #expect(names == ["reviews.json"])
    }

    /// Such a link may lead to another disk that is not mounted now.
    @Test func aDanglingLinkIsNotAnEmptyHistory() throws {
        try directory.create()
        symlink(scratch("elsewhere/reviews.json"), directory.path(of: "reviews.json"))
        let store = store()
        #expect(try refusal(of: store).message.contains(directory.path(of: "reviews.json")))
        mkdir(scratch("elsewhere"), 0o700)
        try writeHistory(of: ["fittoday"])
        #expect(try store.request("fittoday").reasons == [])
    }

    @Test(.enabled(if: getuid() != 0, "root may read everything"))
    func aFileThatMayNotBeReadIsLeftAlone() throws {
        try writeHistory(of: ["fittoday"])
        chmod(directory.path(of: "reviews.json"), 0)
        let store = store()
        #expect(try refusal(of: store).message.contains("Permission denied"))
        chmod(directory.path(of: "reviews.json"), 0o600)
        #expect(try store.request("fittoday").reasons == [])
    }

    /// A restored backup or file sync need not replace a file at once.
    @Test func aFileThatIsBeingWrittenIsReadAgainAndNotSetAside() throws {
        try writeHistory(of: ["fittoday"])
        let whole = file
        let store = store()
        try store.prepare()
        for length in [20, 40] {
            try write(String(whole.prefix(length)))
            #expect(store.problem?.message.contains("still being written") == true)
        }
        try write(whole)
        #expect(try store.request("fittoday").reasons == [])
        #expect(!names.contains("reviews.json.damaged"))
        try write("{")
        for _ in 0..<2 { #expect(store.problem?.message.contains("still being written") == true) }
        #expect(try refusal(of: store).message.contains("was set aside as"))
    }

    // MARK: A disk that refuses

    @Test func aFileInTheDirectorysPlaceIsReportedAndEverythingWorksWhenItIsGone() throws {
        try scratch.write("state", "precious")
        let store = store()
        #expect(try refusal(of: store).message.contains(scratch("state")))
        #expect(scratch.read("state") == "precious")
        try FileManager.default.removeItem(atPath: scratch("state"))
        #expect(try store.launch("fittoday", at: now).isRecorded)
    }

    @Test func aWriteThatFailsChangesNothingAndALaterOneWorks() throws {
        try writeHistory(of: ["bookary"])
        let before = file
        let store = store()
        try store.prepare()
        let history = store.history
        mkdir(directory.path(of: ".reviews.json.new"), 0o700)
        for _ in 0..<3 {
            let errors = [
                try #require(throws: RequestError.self) { try store.launch("fittoday", at: now) },
                try #require(throws: RequestError.self) { try store.request("bookary") },
            ]
            #expect(errors.allSatisfy { $0.reason == .notStored && $0.message.contains("nothing changed") })
        }
        #expect(store.history == history)
        #expect(file == before)
        // Requests that need no disk are answered.
        #expect(try store.launch("bookary", at: now).isRecorded == false)
        rmdir(directory.path(of: ".reviews.json.new"))
        #expect(try store.launch("fittoday", at: now + .seconds(5)).firstLaunch == now + .seconds(5))
        #expect(try store.request("bookary").reasons == [])
    }

    // MARK: The lock

    @Test func aSecondDaemonReportsWhoHasTheHistoryAndTakesOver() throws {
        try writeHistory(of: ["fittoday"])
        var first: StoreUnderTest? = store()
        try first?.prepare()
        let second = store()
        #expect(try refusal(of: second).message.contains("pid \(getpid())"))
        _ = try first?.request("fittoday")
        first = nil
        while second.problem != nil {}
        #expect(try second.request("fittoday").reasons == [.tooSoonAfterLastRequest])
    }

    @Test func aHistoryThatAnotherDaemonHasLockedIsNotRead() throws {
        let first = store()
        try first.prepare()
        try write("{")
        let second = store()
        #expect(try refusal(of: second).message.contains("in use by"))
        #expect(names == ["reviews.json"])
        #expect(file == "{")
        withExtendedLifetime(first) {}
    }

    @Test func aDaemonThatCannotReadTheHistoryDoesNotLockIt() throws {
        try write("{")
        let first = store()
        #expect(throws: RequestError.self) { try first.prepare() }
        try directory.remove("reviews.json.damaged")
        let second = storeAfterRestart()
        #expect(try second.launch("fittoday", at: now).isRecorded)
        #expect(try refusal(of: first).message.contains("in use by"))
    }

    // MARK: The log

    @Test func aProblemIsLoggedOnceHoweverOftenItOccurs() throws {
        try write("{")
        let store = store()
        let message = try refusal(of: store).message
        #expect(log.messages == [message])
    }

    @Test func aProblemThatComesBackIsLoggedAgain() throws {
        let store = store()
        for round in 0..<2 {
            try directory.create()
            mkdir(directory.path(of: ".reviews.json.new"), 0o700)
            for _ in 0..<2 {
                #expect(throws: RequestError.self) { try store.launch("app-\(round)", at: now) }
            }
            rmdir(directory.path(of: ".reviews.json.new"))
            #expect(try store.launch("app-\(round)", at: now).isRecorded)
        }
        #expect(log.messages.count == 2)
    }

    @Test func aChangeThatWaitsMovesWithItsRecordAndSurvivesAReplacedFile() throws {
        let address = "https://one.example/c.json"
        var store = NamedStore(
            reviews: ReviewStore(directory: directory, logger: log.logger, uptime: uptime.next))
        _ = try store.launch("fittoday", now: now)
        try store.store()
        _ = try store.launch("waiting", in: "acme", now: now)
        store.carry(out: [ReviewHistory.Move(from: ["default", "acme"], to: address)])
        let record = #"{"firstLaunch":"2026-01-01T00:00:00Z","requests":[]}"#
        try write(#"{"format":3,"catalogs":{"default":{"restored":\#(record)}}}"#)
        try store.store()
        #expect(store.history?.launchedApps(in: address).sorted() == ["fittoday", "restored", "waiting"])
        #expect(try ReviewHistory(fileBytes: Array(file.utf8)) == store.history)
    }
}
