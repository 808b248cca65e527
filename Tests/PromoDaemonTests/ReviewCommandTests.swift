import PromoCore
@testable import PromoDaemon
import PromoTestSupport
import PromoWire
import Testing

/// The control plane's review commands, and what it publishes of them.
struct ReviewCommandTests {
    private static let day = Duration.seconds(86_400)

    private func launch(_ app: String, _ stage: Stage) -> LaunchResult? {
        stage.ask(.launch(app: app)).result()
    }

    private func request(_ app: String, completed: Int = 3, _ stage: Stage) -> ReviewResult? {
        stage.ask(.reviewRequest(.init(app: app, completed: completed))).result()
    }

    private func refusal(_ request: Command, _ stage: Stage) -> RequestError? {
        if case .refused(let error) = stage.ask(request).value { error } else { nil }
    }

    @Test func aLaunchAndAGrantArePublishedWithTheirAnswers() throws {
        let stage = try Stage()
        #expect(stage.snapshot.reviews == ReviewHistory())
        #expect(launch("fittoday", stage)?.isRecorded == true)
        #expect(stage.snapshot.reviews?["fittoday", in: stage.snapshot.catalog.identity]?.firstLaunch == stage.now)
        stage.advance(Self.day * 7)
        #expect(request("fittoday", stage)?.reasons == [])
        #expect(stage.snapshot.reviews?["fittoday", in: stage.snapshot.catalog.identity]?.requests == [stage.now])
    }

    @Test func aHistoryThatIsDamagedOrMendedIsSeenWhenSomebodyAsksForTheStatusALittleLater() throws {
        let scratch = try ScratchDirectory()
        let stage = try Stage(scratch: scratch)
        _ = launch("fittoday", stage)
        let whole = scratch.read("state/reviews.json")
        try scratch.write("state/reviews.json", "{broken")
        #expect(stage.snapshot.reviewsCheckedAt == stage.now && stage.snapshot.reviewsError == nil)
        stage.advance(.seconds(61))
        stage.onPlane { $0.served("default", due: .check) }
        #expect(stage.snapshot.reviewsCheckedAt == stage.now && stage.snapshot.reviewsError != nil)
        try PrivateDirectory(path: scratch("state")).remove("reviews.json.damaged")
        try scratch.write("state/reviews.json", whole)
        stage.onPlane { $0.served("default", due: .check) }
        #expect(stage.snapshot.reviewsError == nil)
    }

    @Test func aRefusedRequestIsJudgedWithTheTimeOfTheRequest() throws {
        let stage = try Stage()
        _ = launch("fittoday", stage)
        let end = stage.now + Self.day * 7
        stage.advance(Self.day * 7 - .milliseconds(1))
        #expect(request("fittoday", stage)?.reasons == [.tooSoonAfterFirstLaunch])
        #expect(request("fittoday", stage)?.eligibleAt == end)
        stage.advance(.milliseconds(1))
        #expect(request("fittoday", stage)?.reasons == [])
        #expect(request("fittoday", stage)?.reasons == [.tooSoonAfterLastRequest])
    }

    @Test func aClockThatIsSetBackGrantsNothingTwice() throws {
        let stage = try Stage()
        _ = launch("fittoday", stage)
        stage.advance(Self.day * 40)
        let grant = request("fittoday", stage)
        #expect(grant?.reasons == [])
        stage.advance(.zero - Self.day * 400)
        let refused = request("fittoday", stage)
        #expect(refused?.reasons == [.tooSoonAfterFirstLaunch, .tooSoonAfterLastRequest])
        // A launch ahead of the clock is impossible, and counts as now.
        #expect(refused?.eligibleAt == stage.now.roundedDownToSecond + Self.day * 30)
    }

    @Test func aGrantNamesTheStoreOfAnAppThatTheCatalogKnows() throws {
        let stage = try Stage()
        for app in ["bookary", "stedio", "fittoday"] { _ = launch(app, stage) }
        stage.advance(Self.day * 100)
        // No catalog has been fetched yet.
        #expect(request("stedio", stage)?.question == .request(reviewURL: nil))
        stage.origin.answer(.body(SampleCatalog.bytes, Validators()))
        stage.settle()
        let url = "https://example.com/?app=bookary"
        #expect(request("bookary", stage)?.question == .request(reviewURL: url))
        #expect(request("bookary", stage)?.question == .request(reviewURL: nil))
        #expect(request("fittoday", stage)?.question == .request(reviewURL: nil))
    }

    @Test(
        arguments: [(nil, ReviewResult.Reason.notConfigured), ("sample", .sample)] as [(String?, ReviewResult.Reason)])
    func withoutACatalogOrWithTheSampleALaunchIsRecordedAndNothingIsGranted(
        url: String?, reason: ReviewResult.Reason
    ) throws {
        let stage = try Stage(url: url)
        #expect(launch("bookary", stage)?.isRecorded == true)
        stage.advance(Self.day * 100)
        let verdict = stage.ask(.reviewEligible(.init(app: "bookary", completed: 3))).result(as: ReviewResult.self)
        for result in [verdict, request("bookary", stage)] {
            #expect(result?.reasons == [reason])
            #expect(result?.advice?.contains("promoctl setup") == true)
        }
        #expect(stage.snapshot.reviews?["bookary", in: stage.snapshot.catalog.identity]?.requests == [])
    }

    @Test func aReloadChangesTheNumbersAndTheHistoryStays() throws {
        let stage = try Stage()
        _ = launch("fittoday", stage)
        #expect(request("fittoday", completed: 1, stage)?.reasons.count == 2)
        var policy = ReviewPolicy()
        policy.minimumCompletions = 1
        policy.minimumDaysSinceFirstLaunch = 0
        policy.minimumDaysSinceLastRequest = 2
        policy.maximumPerYear = 2
        stage.configure(url: "https://example.com/c.json", review: policy)
        #expect(stage.ask(.reload).result(as: ReloadResult.self) != nil)
        #expect(stage.snapshot.reviewPolicy == policy)
        #expect(request("fittoday", completed: 1, stage)?.eligibleAt == stage.now + Self.day * 2)
        stage.advance(Self.day * 2)
        #expect(request("fittoday", completed: 1, stage)?.eligibleAt == stage.now + Self.day * 363)
        stage.advance(Self.day * 2)
        #expect(request("fittoday", completed: 1, stage)?.reasons == [.yearlyLimit])
    }

    @Test func withABrokenConfigurationReviewsUseTheDefaults() throws {
        let problem = BadConfiguration(problems: [ConfigurationProblem(place: "config.toml:1", message: "nonsense")])
        // The schedule of an earlier start tells the address.
        let scratch = try ScratchDirectory()
        // Not in the same directory, because the earlier plane may hold the history's lock for a moment longer than it is needed.
        try scratch.write("cache/schedule.json", Stage().scratch.read("cache/schedule.json"))
        let stage = try Stage(scratch: scratch, initial: .broken(problem, file: "config.toml"))
        _ = launch("fittoday", stage)
        #expect(
            request("fittoday", completed: 2, stage)?.reasons == [.tooFewCompletions, .tooSoonAfterFirstLaunch])
        let first = try Stage(initial: .broken(problem, file: "config.toml"))
        _ = launch("fittoday", first)
        #expect(request("fittoday", completed: 2, first)?.reasons == [.notConfigured])
    }

    @Test func clearForgetsNoReviews() throws {
        let stage = try Stage()
        _ = launch("fittoday", stage)
        let history = stage.snapshot.reviews
        #expect(stage.ask(.clear).result(as: ClearResult.self) != nil)
        #expect(stage.snapshot.reviews == history)
        #expect(launch("fittoday", stage)?.isRecorded == false)
    }

    @Test func aDamagedHistoryIsPublishedAsMissingAndEverythingElseWorks() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("state/reviews.json", "{")
        let stage = try Stage(scratch: scratch)
        #expect(stage.snapshot.reviews == nil)
        #expect(stage.snapshot.reviewsError?.contains("reviews.json.damaged") == true)
        stage.origin.answer(.body(SampleCatalog.bytes, Validators()))
        stage.settle()
        #expect(stage.snapshot.catalog.served?.catalog.count == 5)
        let asked: [Command] = [
            .launch(app: "fittoday"), .reviewEligible(.init(app: "fittoday", completed: 3)),
            .reviewRequest(.init(app: "fittoday", completed: 3)),
        ]
        for request in asked { #expect(refusal(request, stage)?.reason == .notStored) }
        #expect(stage.ask(.reload).result(as: ReloadResult.self) != nil)
        #expect(refusal(asked[0], stage)?.reason == .notStored)
    }

    @Test func afterAFixTheFirstRequestOpensTheHistory() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("state/reviews.json", "{")
        let stage = try Stage(scratch: scratch)
        try PrivateDirectory(path: scratch("state")).remove("reviews.json.damaged")
        let verdict = stage.ask(.reviewEligible(.init(app: "fittoday", completed: 3)))
        #expect(verdict.result(as: ReviewResult.self)?.reasons == [.neverLaunched])
        #expect(stage.snapshot.reviews == ReviewHistory())
    }

    @Test func afterAFixAReloadReportsTheHistoryAsGood() throws {
        let scratch = try ScratchDirectory()
        try scratch.write("state/reviews.json", "{")
        let stage = try Stage(scratch: scratch)
        try PrivateDirectory(path: scratch("state")).remove("reviews.json.damaged")
        #expect(stage.ask(.reload).result(as: ReloadResult.self) != nil)
        #expect(stage.snapshot.reviewsError == nil)
        #expect(stage.snapshot.reviews == ReviewHistory())
    }

    @Test func whileAFetchIsUnderWayReviewsAreAnswered() throws {
        let stage = try Stage()
        let refresh = stage.ask(.refresh(.init()))
        #expect(launch("fittoday", stage)?.isRecorded == true)
        #expect(request("fittoday", stage)?.reasons == [.tooSoonAfterFirstLaunch])
        stage.origin.answer(.body(SampleCatalog.bytes, Validators()))
        #expect(refresh.result?.outcome == .updated)
    }

    @Test func aStoppedPlaneGrantsNoMore() throws {
        let stage = try Stage()
        _ = launch("fittoday", stage)
        stage.advance(Self.day * 7)
        stage.onPlane { $0.stop() }
        let asked: [Command] = [
            .launch(app: "bookary"), .reviewEligible(.init(app: "fittoday", completed: 3)),
            .reviewRequest(.init(app: "fittoday", completed: 3)),
        ]
        for request in asked { #expect(refusal(request, stage)?.reason == .busy) }
        #expect(!stage.scratch.read("state/reviews.json").contains("bookary"))
        #expect(stage.scratch.read("state/reviews.json").contains(#""requests":[]"#))
    }
}
